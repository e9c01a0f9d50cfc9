//! Claims: one process simulates each state; dead claims are superseded.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Child;
use std::time::Duration;

use flow_cache::{Claim, Claimed, Clock, Folder, stop_heartbeat};

use super::*;

fn mine(claimed: std::io::Result<Claimed>) -> Option<Claim> {
    match claimed.expect("the folder is writable") {
        Claimed::Mine(claim) => Some(claim),
        Claimed::Theirs => None,
    }
}

/// Waits until a child process prints a line.
fn wait_for_line(child: &mut Child, line: &str) {
    let mut heard = String::new();
    let mut out = BufReader::new(child.stdout.as_mut().expect("piped"));
    while !heard.contains(line) {
        heard.clear();
        assert_ne!(out.read_line(&mut heard).expect("readable"), 0, "the child ends before it says {line}");
    }
}

#[test]
#[ignore = "a process of other tests"]
fn claimant_of_many() {
    let folder = Folder::new(process_folder());
    println!("ready");
    std::io::stdin().read_line(&mut String::new()).expect("started");
    let mut claims = Vec::new();
    for number in 0..200 {
        if let Some(claim) = mine(folder.claim(number)) {
            println!("mine {number}");
            claims.push(claim);
        }
    }
    println!("done");
    // The claims are held until all processes have requested theirs.
    std::io::stdin().read_line(&mut String::new()).expect("ended");
}

#[test]
fn two_processes_race_and_each_claim_has_one_holder() {
    let temp = tempfile::tempdir().expect("folder");
    let mut children = [(); 2].map(|()| process("claims::claimant_of_many", temp.path()).spawn().expect("a child"));
    for child in &mut children {
        wait_for_line(child, "ready");
    }
    for child in &mut children {
        writeln!(child.stdin.as_mut().expect("piped"), "go").expect("written");
    }
    let mut won = Vec::new();
    for child in &mut children {
        for line in BufReader::new(child.stdout.as_mut().expect("piped")).lines() {
            match line.expect("readable").strip_prefix("mine ") {
                Some(number) => won.push(number.parse::<u32>().expect("a number")),
                None => break,
            }
        }
    }
    won.sort_unstable();
    assert_eq!(won, (0..200).collect::<Vec<_>>(), "each claim once");
    for child in &mut children {
        writeln!(child.stdin.as_mut().expect("piped"), "end").expect("written");
        assert!(child.wait().expect("ended").success());
    }
    assert_eq!(names(&temp.path().join(".claims")), Vec::<String>::new());
}

#[test]
#[ignore = "a process of other tests"]
fn claimant_that_waits() {
    let folder = Folder::new(process_folder());
    let claim = mine(folder.claim(key(1, 1)));
    println!("mine {}", claim.is_some());
    std::io::stdin().read_line(&mut String::new()).expect("ended");
}

#[test]
fn the_claim_of_a_killed_process_of_this_machine_is_superseded_at_once() {
    let temp = tempfile::tempdir().expect("folder");
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    for generation in 1..=3 {
        let mut child = process("claims::claimant_that_waits", temp.path()).spawn().expect("a child");
        wait_for_line(&mut child, "mine true");
        assert!(mine(folder.claim(key(1, 1))).is_none(), "it lives");
        child.kill().expect("killed");
        child.wait().expect("ended");
        // The next child supersedes the claim in the same way.
        assert_eq!(names(&temp.path().join(".claims")).len(), generation);
    }
    // The query interval is over, the silence limit is not.
    clock.advance(Duration::from_millis(100));
    let claim = mine(folder.claim(key(1, 1))).expect("the claimant is dead");
    assert!(mine(Folder::new(temp.path().join(".")).claim(key(1, 1))).is_some(), "the same folder, the same process");
    drop(claim);
    assert_eq!(names(&temp.path().join(".claims")), Vec::<String>::new(), "dead claims are removed");
}

/// Content of a claim by a process of another machine.
fn foreign(beat: u32) -> String {
    format!("flow claim 1\nmachine elsewhere\npid 1\nstart 5\nid 77\nsince 2020-01-01T00:00:00Z\nbeat {beat:020}\n")
}

#[test]
fn a_claim_of_another_machine_expires_after_ten_seconds_without_heartbeat() {
    let temp = tempfile::tempdir().expect("folder");
    let clock = Clock::manual();
    let folder = Folder::with_clock(temp.path().into(), clock.clone());
    fs::create_dir(temp.path().join(".claims")).expect("made");
    let file = temp.path().join(format!(".claims/{:032x}.claim", key(1, 1)));
    for beat in 0..5 {
        fs::write(&file, foreign(beat)).expect("written");
        assert!(mine(folder.claim(key(1, 1))).is_none());
        clock.advance(Duration::from_millis(9_999));
        assert!(mine(folder.claim(key(1, 1))).is_none(), "beat {beat}");
    }
    clock.advance(Duration::from_millis(1));
    let claim = mine(folder.claim(key(1, 1))).expect("the claim has expired");
    assert_eq!(names(&temp.path().join(".claims")).len(), 2, "superseded, not removed");
    assert!(Folder::new(temp.path().into()).claim(key(1, 1)).is_ok_and(|claimed| matches!(claimed, Claimed::Mine(_))));
    drop(claim);
    assert_eq!(names(&temp.path().join(".claims")), Vec::<String>::new());
    // An empty claim file expires by its silence.
    fs::write(&file, "").expect("written");
    assert!(mine(folder.claim(key(1, 1))).is_none());
    clock.advance(Duration::from_secs(10));
    assert!(mine(folder.claim(key(1, 1))).is_some());
}

#[test]
fn the_holder_of_a_superseded_claim_leaves_its_files() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let claim = mine(folder.claim(5)).expect("the claim is free");
    let superseded = temp.path().join(format!(".claims/{:032x}.1.claim", 5));
    fs::write(&superseded, foreign(0)).expect("written");
    drop(claim);
    // Otherwise a third process could create the first file while the second holds a live claim.
    assert_eq!(names(&temp.path().join(".claims")).len(), 2);
    fs::remove_file(superseded).expect("removed");
    drop(mine(folder.claim(6)).expect("the claim is free"));
    assert_eq!(names(&temp.path().join(".claims")).len(), 1, "it removes its own file otherwise");
}

#[test]
fn threads_share_a_claim_and_the_last_one_releases_it() {
    let temp = tempfile::tempdir().expect("folder");
    let folder = Folder::new(temp.path().into());
    let claims: Vec<Claim> = std::thread::scope(|scope| {
        let ask = || loop {
            if let Some(claim) = mine(folder.claim(5)) {
                return claim;
            }
        };
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let file = temp.path().join(format!(".claims/{:032x}.claim", 5));
    let mut claims = claims.into_iter();
    let last = claims.next();
    claims.for_each(|claim| {
        drop(claim);
        assert!(file.exists());
    });
    drop(last);
    assert!(!file.exists());
}

#[test]
#[ignore = "a process of other tests"]
fn claimant_with_observed_heartbeat() {
    let temp = process_folder();
    let folder = Folder::new(temp.clone());
    let claim = mine(folder.claim(1)).expect("the claim is free");
    let file = temp.join(format!(".claims/{:032x}.claim", 1));
    let first = fs::read_to_string(&file).expect("there");
    while fs::read_to_string(&file).expect("there") == first {
        std::thread::sleep(Duration::from_millis(20));
    }
    // Another process has taken over the file; its content must not change.
    fs::write(&file, foreign(0)).expect("written");
    let other = mine(folder.claim(2)).expect("the claim is free");
    let second = temp.join(format!(".claims/{:032x}.claim", 2));
    let first = fs::read_to_string(&second).expect("there");
    while fs::read_to_string(&second).expect("there") == first {
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(claim);
    assert_eq!(fs::read_to_string(&file).expect("there"), foreign(0));
    // `stop_heartbeat` ends the thread, and the next claim starts it again.
    stop_heartbeat();
    let threads = || fs::read_dir("/proc/self/task").map(Iterator::count);
    let resting = threads().ok();
    let third = mine(folder.claim(3)).expect("the claim is free");
    if let (Some(resting), Ok(beating)) = (resting, threads()) {
        assert_eq!(beating, resting + 1);
    }
    drop((other, third));
    if let (Some(resting), Ok(after)) = (resting, threads()) {
        assert_eq!(after, resting, "the thread ends with the last claim");
    }
    println!("well");
}

#[test]
fn the_heartbeat_covers_held_claims_only_and_ends_with_them() {
    let temp = tempfile::tempdir().expect("folder");
    let child = process("claims::claimant_with_observed_heartbeat", temp.path()).output().expect("a child");
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success() && said.contains("well"), "{said}");
}

#[test]
#[ignore = "a process of other tests"]
fn worker_of_forty() {
    let folder = Folder::new(process_folder());
    std::io::stdin().read_line(&mut String::new()).expect("started");
    let mut made = 0;
    for frame in 1..=20 {
        let (key, previous) = (key(1, frame), (frame > 1).then(|| key(1, frame - 1)));
        while folder.find(frame, key).is_none() {
            let Some(_claim) = mine(folder.claim(key)) else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            if folder.find(frame, key).is_none() {
                store(&folder, &header(key, frame), previous).expect("stored");
                made += 1;
            }
        }
    }
    println!("made {made}");
}

#[test]
fn forty_processes_make_each_state_once() {
    let temp = tempfile::tempdir().expect("folder");
    let spawn = || process("claims::worker_of_forty", temp.path()).spawn().expect("a child");
    let mut children: Vec<Child> = (0..40).map(|_| spawn()).collect();
    for child in &mut children {
        writeln!(child.stdin.as_mut().expect("piped"), "go").expect("written");
    }
    let mut made = 0;
    for child in children {
        let output = child.wait_with_output().expect("ended");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        let count = said.split("made ").nth(1).and_then(|rest| rest.lines().next());
        made += count.and_then(|count| count.parse::<u32>().ok()).expect("a count");
    }
    assert_eq!(made, 20);
    assert_eq!(states(temp.path()).len(), 20);
}
