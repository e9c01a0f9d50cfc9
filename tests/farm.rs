//! A render farm: an independent engine runs the templates, and many processes render one shot. Every frame equals that
//! of a single process, and no frame is simulated twice.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use common::{FLOW, bundle_path};

const FRAMES: u64 = 200;
const BAKE: &str = "flow-bake-then-render.openjd.yaml";
const CHUNKS: &str = "flow-chunks.openjd.yaml";
const GRIDS: &str = "flow-grids-then-render.openjd.yaml";

/// The command under test. Cargo builds it beside the library when it builds the workspace.
fn flow_host() -> PathBuf {
    let test = std::env::current_exe().expect("a running test has a path");
    let folder = test.parent().and_then(Path::parent).expect("tests lie two folders deep");
    let program = folder.join(format!("flow-host{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "{} is not there; type: cargo build --package flow-host", program.display());
    program
}

/// The engine: `FLOW_OPENJD`, which `cargo xtask test` sets, or the one on `PATH`.
fn openjd() -> Command {
    let named = std::env::var_os("FLOW_OPENJD").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = named.or_else(|| std::env::split_paths(&path).map(|f| f.join("openjd")).find(|file| file.is_file()));
    let program = program.expect(
        "openjd is not installed. `cargo xtask test` sees to that; for this test alone, type:\n  \
         cargo xtask setup && export FLOW_OPENJD=$PWD/target/tools/bin/openjd\n",
    );
    assert!(program.is_file(), "FLOW_OPENJD is {}, which is not there", program.display());
    Command::new(program)
}

fn template(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bundle/farm").join(name)
}

/// A folder with the shot's job, for one way to render it.
struct Shot {
    folder: tempfile::TempDir,
}

/// The statistics of one process.
struct Stats {
    frames: usize,
    simulated: u64,
    /// Number of frames by their origin.
    from: BTreeMap<String, usize>,
}

impl Shot {
    fn new() -> Self {
        let shot = Self { folder: tempfile::tempdir().expect("a folder") };
        // Intermittent coloured water and constant motion: no two frames are equal.
        let job = format!(
            r#"
            bundle = {:?}
            size = "48x32"
            frames = "1"
            [[node]]
            name = "river"
            plugin = "{FLOW}"
            set = {{ device = "CPU", emitter = "On", emitterRadius = 6.0, rainMode = "Mean height", rain = 0.002, edges = "Open" }}
            keys.emitterCentre = {{ 1 = [8.0, 8.0], 120 = [40.0, 24.0] }}
            keys.speed = {{ 1 = 2, 90 = 6.0 }}
            [[render]]
            node = "river"
            output = "out.####.exr"
            "#,
            bundle_path()
        );
        fs::write(shot.path("shot.toml"), job).expect("writes the job");
        fs::create_dir(shot.path("stats")).expect("makes a folder");
        shot
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts a process that renders some frames, as a farm's worker would.
    fn start(&self, frames: &str, cache: Option<&str>) -> Child {
        let mut render = Command::new(flow_host());
        render.arg("render").arg("--job").arg(self.path("shot.toml")).args(["--frames", frames]);
        render.arg("--stats").arg(self.path("stats").join(format!("render.{frames}.json")));
        render.args(
            cache.map(|folder| self.path(folder)).iter().flat_map(|folder| ["--cache".as_ref(), folder.as_os_str()]),
        );
        render.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("flow-host starts")
    }

    /// Runs all of a template's steps with the engine.
    fn submit(&self, name: &str, parameters: &[&str]) {
        // The engine's workers run this command; the script also records its statistics.
        let worker = self.path("worker");
        let stats = self.path("stats");
        let script = format!("#!/bin/sh\nexec {:?} \"$@\" --stats {stats:?}/$1.$$.json\n", flow_host());
        fs::write(&worker, script).expect("writes a script");
        executable(&worker);
        let mut run = openjd();
        run.arg("run").arg(template(name)).current_dir(self.folder.path());
        run.args(["--job-param", &format!("FlowHost={}", worker.display())]);
        run.args(["--job-param", "Job=shot.toml", "--job-param", &format!("Last={FRAMES}")]);
        run.args(parameters.iter().flat_map(|parameter| ["--job-param", parameter]));
        // Folder of the engine's sessions.
        run.env("TMPDIR", self.folder.path());
        let output = run.output().expect("openjd starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "openjd run {name}: {text}");
    }

    /// The statistics of a command's processes, in the order of their frames.
    fn stats(&self, command: &str) -> Vec<Stats> {
        let mut stats = BTreeMap::new();
        for entry in fs::read_dir(self.path("stats")).expect("a folder") {
            let path = entry.expect("readable").path();
            if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(command)) {
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let frames = json["frames"].as_array().expect("frames");
            let first = frames.iter().map(|frame| frame["frame"].as_f64().expect("a frame") as i64).min();
            let mut from = BTreeMap::new();
            for frame in frames {
                *from.entry(frame["from"].as_str().expect("a source").to_owned()).or_default() += 1;
            }
            let simulated = frames.iter().map(|frame| frame["frames"].as_u64().expect("a count")).sum();
            let earlier = stats.insert(first, Stats { frames: frames.len(), simulated, from });
            assert!(earlier.is_none(), "no chunk is rendered twice");
        }
        stats.into_values().collect()
    }

    /// The contents of the frames' files.
    fn pictures(&self, frames: impl IntoIterator<Item = u64>) -> Vec<Vec<u8>> {
        let read = |frame| {
            let path = self.path(&format!("out.{frame:04}.exr"));
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        frames.into_iter().map(read).collect()
    }

    /// Fails unless the frames equal those of the single process, bit for bit.
    fn is_the_single_run(&self, frames: impl IntoIterator<Item = u64> + Clone) {
        let found = self.pictures(frames.clone());
        for (frame, found) in frames.into_iter().zip(found) {
            assert!(found == single_run()[frame as usize - 1], "frame {frame} differs");
        }
    }
}

/// Runs a command in a folder, in which it succeeds; returns what it prints.
fn run_in(place: &Path, command: &mut Command) -> String {
    let output = command.current_dir(place).env("TMPDIR", place).output().expect("starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{text}");
    text
}

#[cfg(unix)]
fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("sets permissions");
}

#[cfg(not(unix))]
fn executable(_: &Path) {}

fn succeeds(child: Child, what: &str) {
    let output = child.wait_with_output().expect("ends");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{what}: {text}");
}

/// All frames from one process without a cache.
fn single_run() -> &'static [Vec<u8>] {
    static PICTURES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    PICTURES.get_or_init(|| {
        let shot = Shot::new();
        let all = format!("1-{FRAMES}");
        succeeds(shot.start(&all, None), "the single run");
        let pictures = shot.pictures(1..=FRAMES);
        assert!(pictures.windows(2).all(|pair| pair[0] != pair[1]), "the shot moves");
        pictures
    })
}

/// The first and last frames of chunks of that size.
fn chunks(size: u64) -> impl Iterator<Item = [u64; 2]> {
    (1..=FRAMES).step_by(size as usize).map(move |first| [first, (first + size - 1).min(FRAMES)])
}

#[test]
fn the_templates_are_valid() {
    let mut names: Vec<String> = fs::read_dir(template("."))
        .expect("a folder of templates")
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, [BAKE, CHUNKS, GRIDS]);
    for name in names {
        let output = openjd().arg("check").arg(template(&name)).output().expect("openjd starts");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert!(output.status.success(), "{name}: {text}");
    }
}

#[test]
fn a_farm_that_bakes_first_equals_a_single_run_and_simulates_once() {
    let shot = Shot::new();
    shot.submit(BAKE, &["Cache=cache"]);
    let [bake] = &shot.stats("bake")[..] else { panic!("one task bakes") };
    assert_eq!((bake.frames as u64, bake.simulated), (FRAMES, FRAMES));
    let renders = shot.stats("render");
    assert_eq!(renders.iter().map(|stats| stats.frames).collect::<Vec<_>>(), [20; 10]);
    assert_eq!(renders.iter().map(|stats| stats.simulated).collect::<Vec<_>>(), [0; 10], "all is in the cache");
    assert!(renders.iter().all(|stats| stats.from == BTreeMap::from([("disk".to_owned(), 20)])));
    shot.is_the_single_run(1..=FRAMES);
}

#[test]
fn a_bake_of_every_twentieth_frame_is_enough_for_chunks_of_twenty() {
    let shot = Shot::new();
    shot.submit(BAKE, &["Cache=cache", "Every=20"]);
    let [bake] = &shot.stats("bake")[..] else { panic!("one task bakes") };
    assert_eq!(bake.simulated, FRAMES);
    let renders = shot.stats("render");
    assert_eq!(renders.iter().map(|stats| stats.simulated).collect::<Vec<_>>(), [19; 10], "its first frame is there");
    shot.is_the_single_run(1..=FRAMES);
}

#[test]
fn a_farm_without_a_bake_equals_a_single_run() {
    let shot = Shot::new();
    shot.submit(CHUNKS, &["Cache=cache", "ChunkSize=40"]);
    let stats = shot.stats("render");
    assert_eq!(stats.iter().map(|stats| stats.frames).collect::<Vec<_>>(), [40; 5]);
    // The chunks run in order, and each continues from the end of the one before.
    assert_eq!(stats.iter().map(|stats| stats.simulated).collect::<Vec<_>>(), [40; 5]);
    shot.is_the_single_run(1..=FRAMES);
}

#[test]
fn a_farm_without_a_shared_cache_equals_a_single_run() {
    let shot = Shot::new();
    shot.submit(CHUNKS, &[]);
    let from_the_start: Vec<u64> = chunks(20).map(|[_, last]| last).collect();
    assert_eq!(shot.stats("render").iter().map(|stats| stats.simulated).collect::<Vec<_>>(), from_the_start);
    shot.is_the_single_run(1..=FRAMES);
}

#[test]
fn forty_concurrent_processes_share_the_work() {
    let shot = Shot::new();
    let chunks: Vec<[u64; 2]> = chunks(5).collect();
    assert_eq!(chunks.len(), 40);
    let start = std::time::Instant::now();
    let processes: Vec<Child> =
        chunks.iter().map(|[first, last]| shot.start(&format!("{first}-{last}"), Some("cache"))).collect();
    for (process, [first, last]) in processes.into_iter().zip(&chunks) {
        succeeds(process, &format!("frames {first} to {last}"));
    }
    let time = start.elapsed().as_secs_f64();
    let stats = shot.stats("render");
    let simulated: u64 = stats.iter().map(|stats| stats.simulated).sum();
    println!("40 processes simulated {simulated} frames of {FRAMES} in {time:.1} s");
    assert_eq!(stats.iter().map(|stats| stats.frames as u64).sum::<u64>(), FRAMES);
    assert!((FRAMES..=FRAMES + FRAMES / 10).contains(&simulated), "{simulated} frames simulated for {FRAMES}");
    shot.is_the_single_run(1..=FRAMES);
}

#[test]
fn concurrent_processes_without_a_shared_cache_equal_a_single_run() {
    let shot = Shot::new();
    let chunks = [[181, 200], [1, 10], [91, 110]];
    let processes = chunks.map(|[first, last]| shot.start(&format!("{first}-{last}"), None));
    for (process, [first, last]) in processes.into_iter().zip(chunks) {
        succeeds(process, &format!("frames {first} to {last}"));
        shot.is_the_single_run(first..=last);
    }
    assert_eq!(shot.stats("render").iter().map(|stats| stats.simulated).collect::<Vec<_>>(), [10, 110, 200]);
}

#[test]
fn a_wedge_on_a_farm_equals_a_local_one() {
    let place = tempfile::tempdir().expect("a folder");
    let job = format!(
        r#"
        bundle = {:?}
        size = "48x32"
        frames = "1-6"
        [[node]]
        name = "river"
        plugin = "{FLOW}"
        set = {{ device = "CPU", emitter = "On", emitterRadius = 6.0 }}
        vary = {{ emitterCentre = [[8, 8], [40, 24]], edges = ["Open", "Closed"] }}
        [[render]]
        output = "out.####.exr"
        "#,
        bundle_path()
    );
    fs::write(place.path().join("shot.toml"), job).expect("writes the job");
    let run = |command: &mut Command| run_in(place.path(), command);
    let wedge = ["wedge", "--job", "shot.toml", "--vary", "speed=2..4/2"];
    run(Command::new(flow_host()).args(wedge).args(["--out", "local", "--jobs", "2"]));
    run(Command::new(flow_host()).args(wedge).args(["--out", "farm", "--openjd", "wedge.json"]));
    run(openjd().args(["check", "wedge.json"]));
    let host = format!("FlowHost={}", flow_host().display());
    let text = run(openjd().args(["run", "wedge.json", "--job-param", &host]));
    assert!(text.contains("emitterCentre") && text.contains("40,24"), "{text}");
    let names = |out: &str| {
        let entries = fs::read_dir(place.path().join(out)).expect("a folder").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<std::collections::BTreeSet<_>>()
    };
    let mut local = names("local");
    assert_eq!(local.len(), 2 * 2 * 2 + 2, "{local:?}");
    for combination in local.iter().filter(|name| !name.starts_with("wedge.")) {
        for frame in 1..=6 {
            let read =
                |out: &str| fs::read(place.path().join(out).join(combination).join(format!("out.{frame:04}.exr")));
            assert!(read("local").expect("there") == read("farm").expect("there"), "{combination} {frame}");
        }
    }
    local.insert("wedge.toml".into());
    assert_eq!(names("farm"), local);
    // The same sheet, since it shows the same pictures.
    let sheet = |out: &str| fs::read(place.path().join(out).join("wedge.png")).expect("a sheet");
    assert!(sheet("local") == sheet("farm"));
}

#[test]
fn grids_of_air_bake_in_tasks_of_their_own() {
    let place = tempfile::tempdir().expect("a folder");
    let job = format!(
        r#"
        bundle = {:?}
        size = "96x64"
        [[node]]
        name = "plate"
        plugin = "{FLOW}"
        set = {{ device = "CPU", emitter = "On", emitterRadius = 6.0 }}
        [[node]]
        name = "sparks"
        plugin = "org.flowofx.FlowParticles"
        set = {{ preroll = 2, emitter1Centre = [48, 16], emitter1Moves = "As the air", grids = 2, grid1Centre = [48, 32], grid1Width = 64, grid1Height = 64, grid1Length = 64, grid1Cells = 16, jet1 = true, jet1Speed = 2, jet1Radius = 8, grid2Centre = [40, 32], grid2Width = 48, grid2Height = 48, grid2Length = 48, grid2Cells = 16, jet3 = true, jet3Speed = 1, jet3Radius = 8 }}
        [[render]]
        node = "sparks"
        output = "OUT/out.####.exr"
        "#,
        bundle_path()
    );
    let run = |command: &mut Command| run_in(place.path(), command);
    for out in ["alone", "farm"] {
        fs::create_dir(place.path().join(out)).expect("makes a folder");
        fs::write(place.path().join(format!("{out}.toml")), job.replace("OUT", out)).expect("writes the job");
    }
    run(Command::new(flow_host()).args(["render", "--job", "alone.toml", "--frames", "1-12"]));
    let host = format!("FlowHost={}", flow_host().display());
    let given = [&host, "Job=farm.toml", "Cache=cache", "Grids=1-2", "Node=sparks.", "Last=12", "ChunkSize=6"];
    run(openjd().arg("run").arg(template(GRIDS)).args(given.iter().flat_map(|given| ["--job-param", given])));
    for frame in 1..=12 {
        let read = |out: &str| fs::read(place.path().join(out).join(format!("out.{frame:04}.exr"))).expect("there");
        assert!(read("alone") == read("farm"), "frame {frame}");
    }
    let files = flow_cache::Folder::new(place.path().join("cache/sparks")).list();
    let models = files.iter().map(|file| file.header.as_ref().expect("whole").model.as_str());
    let air = models.filter(|model| *model == "org.flowofx.FlowParticles air").count();
    assert!(air >= 2 * 12 && air % 2 == 0, "{air} files of air");
    assert!(!place.path().join("cache/plate").exists(), "the other node is not baked");
}
