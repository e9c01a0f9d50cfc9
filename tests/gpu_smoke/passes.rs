//! Every operation on velocity and scalars.

use flow_ofx::sim::fluid::combustion::{Burning, Flame, FlameForces};
use flow_ofx::sim::fluid::flow_map::FlowMap;
use flow_ofx::sim::fluid::{
    Advection, Backend, Domain, FieldId, Forces, Operation, Scalars, Scheme, Session, Stamp, VectorField,
};
use flow_ofx::sim::smoke::FieldKind;

use crate::cases::{Case, Random, Results};

/// Fields of a case.
struct Fields<'a, 'b, B: Backend> {
    session: &'a mut Session<'b, B>,
    case: &'a Case,
}

impl<B: Backend> Fields<'_, '_, B> {
    fn unspecified(&mut self, kind: FieldKind) -> FieldId {
        self.session.allocate(self.case.len(kind)).expect("memory")
    }

    fn random(&mut self, kind: FieldKind, random: &mut Random, most: f32) -> FieldId {
        self.session.upload(&random.many(self.case.len(kind), most)).expect("memory")
    }

    fn velocity(&mut self) -> VectorField {
        VectorField::new(&[FieldKind::U, FieldKind::V].map(|kind| self.unspecified(kind)))
    }

    fn displacements(&mut self) -> VectorField {
        VectorField::new(&[FieldKind::Cell; 2].map(|kind| self.unspecified(kind)))
    }

    fn scalars(&mut self) -> Scalars {
        Scalars { colour: self.unspecified(FieldKind::Dye), temperature: Some(self.unspecified(FieldKind::Cell)) }
    }

    fn faces(&mut self, random: &mut Random, most: f32) -> VectorField {
        let faces = self.case.faces(random, most);
        VectorField::new(&faces.map(|values| self.session.upload(&values).expect("memory")))
    }

    fn run(&mut self, operation: Operation<'_>) {
        self.session.run(&[operation]).expect("works");
    }
}

/// Runs every operation.
pub fn results<B: Backend>(backend: &B, case: &Case) -> Results {
    let mut all = Results::default();
    let mut random = Random::new(5);
    let session = &mut Session::new(backend);
    let domain = &case.domain(session);
    let fields = &mut Fields { session, case };
    let keep_scalars = |all: &mut Results, name: &str, session: &Session<'_, B>, of: Scalars| {
        all.field(&format!("{name}, colour"), session, of.colour);
        of.temperature.iter().for_each(|field| all.field(&format!("{name}, temperature"), session, *field));
    };

    let (wind, from) = (fields.faces(&mut random, 3.0), fields.faces(&mut random, 2.0));
    let colour = fields.random(FieldKind::Dye, &mut random, 1.0);
    let scalars = Scalars { colour, temperature: Some(fields.random(FieldKind::Cell, &mut random, 2.0)) };
    let traces = [0.7, -0.7].map(|time| {
        let to = fields.displacements();
        fields.run(Operation::Backtrace { domain, time, wind, to });
        all.vector(&format!("displacements over {time}"), fields.session, to);
        to
    });
    for scheme in [Scheme::SemiLagrangian, Scheme::Cubic, Scheme::MacCormack] {
        let advection = Advection { scheme, keep: 0.9, cooling: 0.1, ambient: 0.5 };
        let (to, advected_dye, backtrace) = (fields.velocity(), fields.scalars(), fields.displacements());
        fields.run(Operation::AdvectVelocity { domain, scheme, time: 0.7, wind, from, backtrace, to });
        all.vector(&format!("displacements of {scheme:?}"), fields.session, backtrace);
        fields.run(Operation::AdvectScalars {
            domain,
            advection,
            backtrace: traces[0],
            from: scalars,
            to: advected_dye,
        });
        all.vector(&format!("advected {scheme:?}"), fields.session, to);
        keep_scalars(&mut all, &format!("advected {scheme:?}"), fields.session, advected_dye);
        if scheme == Scheme::MacCormack {
            let (corrected, corrected_scalars) = (fields.velocity(), fields.scalars());
            let (time, advected) = (0.7, to);
            fields.run(Operation::CorrectVelocity { domain, time, wind, backtrace, from, advected, to: corrected });
            let (from, advected, to) = (scalars, advected_dye, corrected_scalars);
            fields.run(Operation::CorrectScalars { domain, advection, traces, from, advected, to });
            all.vector("corrected", fields.session, corrected);
            keep_scalars(&mut all, "corrected", fields.session, corrected_scalars);
        }
    }

    for kind in [FieldKind::U, FieldKind::V, FieldKind::Cell, FieldKind::Dye] {
        let from = fields.random(kind, &mut random, 1.0);
        for [x, y] in [[0, 0], [3, -2], [-1, 1], [-600, 0], [0, 600]] {
            let to = fields.unspecified(kind);
            fields.run(Operation::Shift { shape: kind.shape(case.size), by: [x, y, 0], from, to });
            all.field(&format!("shifted {kind:?} {x} {y}"), fields.session, to);
        }
    }

    let forces = Forces { keep: 0.9, weight: [0.1, -0.3, 0.0], lift: [-0.2, 0.4, 0.0], ambient: 0.3, confinement: 0.0 };
    let cold = Scalars { colour: fields.random(FieldKind::Dye, &mut random, 1.0), temperature: None };
    let forced = fields.velocity();
    for (name, forces, scalars) in [
        ("forced", forces, scalars),
        ("forced without temperature", forces, cold),
        ("forced and confined", Forces { confinement: 0.4, ..forces }, scalars),
        ("confined alone", Forces { confinement: 3.0, weight: [0.0; 3], lift: [0.0; 3], ..forces }, scalars),
        ("forced along x alone", Forces { weight: [0.2, 0.0, 0.0], lift: [0.0; 3], ..forces }, scalars),
    ] {
        fields.run(Operation::Force { domain, forces, scalars, from, to: forced });
        all.vector(name, fields.session, forced);
    }
    fields.run(Operation::EnforceBoundaries { domain, velocity: forced, measure: false });
    all.vector("with boundary conditions", fields.session, forced);
    for weight in [1.0, 1.3] {
        let to = fields.faces(&mut random, 1.0);
        fields.run(Operation::Diffuse { domain, number: 3.0, weight, rhs: from, from: wind, to });
        all.vector(&format!("diffused by {weight}"), fields.session, to);
    }
    let velocity = fields.faces(&mut random, 1.0);
    fields.run(Operation::Reflect { projected: from, velocity });
    all.vector("reflected", fields.session, velocity);

    fire(fields, domain, &mut random, from, &mut all);
    flow_map(fields, domain, &mut random, traces[0], &mut all);

    for kind in [FieldKind::U, FieldKind::V, FieldKind::Cell, FieldKind::Dye] {
        let mut kinds = vec![Stamp::Add { share: 0.3 }];
        match kind {
            FieldKind::Dye => kinds.extend([Stamp::Replace, Stamp::FillUp, Stamp::Raise, Stamp::Fuel]),
            FieldKind::Cell => kinds.extend([Stamp::Steer, Stamp::Raise]),
            _ => kinds.push(Stamp::Steer),
        }
        let [columns, rows] = kind.size(case.size[0], case.size[1]);
        for stamp in kinds {
            let to = fields.random(kind, &mut random, 1.0);
            let (first, size) = ([columns / 3, rows / 4, 0], [(columns / 2).max(1), (rows / 2).max(1), 1]);
            let each = if stamp == Stamp::Steer { 2 } else { kind.components() };
            let values = fields.session.upload(&random.many(size[0] * size[1] * each, 1.0)).expect("memory");
            fields.run(Operation::Stamp { domain, shape: kind.shape(case.size), stamp, first, size, values, to });
            all.field(&format!("{stamp:?} on {kind:?}"), fields.session, to);
        }
    }

    let mut statistics = |name: &str, session: &mut Session<'_, B>, velocity| {
        let found = session.run(&[Operation::VelocityStatistics { velocity }]).expect("works").take_statistics();
        all.numbers(name, &[f64::from(found.largest), found.bad as f64]);
    };
    statistics("statistics", fields.session, wind);
    let mut wild = random.many(case.len(FieldKind::U), 1e5);
    for (value, bad) in wild.iter_mut().zip([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -0.0]) {
        *value = bad;
    }
    let u = fields.session.upload(&wild).expect("memory");
    let wild = VectorField::new(&[u, fields.random(FieldKind::V, &mut random, 1.0)]);
    statistics("statistics of bad values", fields.session, wild);
    let scaled = fields.unspecified(FieldKind::U);
    fields.run(Operation::Scale { by: 1e10, from: u, to: scaled });
    all.field("scaled", fields.session, scaled);
    fields.run(Operation::Sanitise { field: u });
    all.field("sanitised", fields.session, u);
    all
}

/// Runs every operation of fire.
fn fire<B: Backend>(
    fields: &mut Fields<'_, '_, B>,
    domain: &Domain,
    random: &mut Random,
    from: VectorField,
    all: &mut Results,
) {
    let cells = fields.case.len(FieldKind::Cell);
    let mut sized = |most: f32, count: usize| random.many(count, most).into_iter().map(f32::abs).collect::<Vec<_>>();
    let [hot, gas] = [sized(1.0, cells), sized(1.0, 4 * cells)];
    let [temperature, gas] = [hot, gas].map(|values| fields.session.upload(&values).expect("memory"));
    let flame = Flame { gas, burning: fields.unspecified(FieldKind::Cell) };
    let burning =
        Burning { rate: 0.03, ignition: 0.25, heat: 3.0, ageing: 0.04, keep: 0.98, soot: 0.3, per_frame: 1.25 };
    fields.run(Operation::Burn { burning, temperature, flame });
    for (name, field) in [("temperature", temperature), ("gas", gas), ("burning", flame.burning)] {
        all.field(&format!("burnt, {name}"), fields.session, field);
    }
    fields.run(Operation::Cool { rate: 0.3, temperature });
    all.field("cooled", fields.session, temperature);
    for (kind, from) in [(FieldKind::Cell, temperature), (FieldKind::Dye, gas)] {
        let (to, shape) = (fields.unspecified(kind), kind.shape(fields.case.size));
        fields.run(Operation::Spread { domain, shape, numbers: [0.2, 0.1, 0.25, 0.0], from, to });
        all.field(&format!("spread {kind:?}"), fields.session, to);
    }
    let forces = FlameForces {
        weight: [0.1, -0.3, 0.0],
        disturbance: 0.4,
        shredding: 0.1,
        shredding_max: 0.8,
        unit: 0.3,
        drag: 0.7,
        updraft: [0.2, 1.5, 0.0],
        ramp: [0.01, 0.05, 0.0, -0.1],
    };
    let noise = fields.faces(random, 1.0);
    for disturbance in [None, Some(noise)] {
        let to = fields.velocity();
        fields.run(Operation::FlameForce { domain, forces, temperature, gas, disturbance, from, to });
        all.vector(&format!("forces of a flame, disturbed {}", disturbance.is_some()), fields.session, to);
    }
}

/// Runs every operation of a flow map.
fn flow_map<B: Backend>(
    fields: &mut Fields<'_, '_, B>,
    domain: &Domain,
    random: &mut Random,
    backtrace: VectorField,
    all: &mut Results,
) {
    let size = fields.case.size;
    // A map that is hardly stretched, and one that is torn.
    let maps = [(0.05, [0, 0]), (3.0, [4, -3])].map(|(most, shift)| {
        let mut map = random.many(fields.case.len(FieldKind::Dye), most);
        for cell in map.chunks_exact_mut(4) {
            (cell[2], cell[3]) = (0.5 + 0.5 * random.next(), 0.0);
        }
        let map = fields.session.upload(&map).expect("memory");
        let [base, residual] = [1.0, 0.3].map(|most| fields.random(FieldKind::Dye, random, most));
        FlowMap { map, base, residual, scale: 0.9, shift }
    });
    for (nth, map) in maps.into_iter().enumerate() {
        let to = fields.unspecified(FieldKind::Dye);
        fields.run(Operation::AdvectMap { domain, backtrace, from: map.map, to });
        all.field(&format!("advected map {nth}"), fields.session, to);
        fields.run(Operation::ReadMap { domain, map, fading: None, to });
        all.field(&format!("dye of map {nth}"), fields.session, to);
    }
    let dye = fields.unspecified(FieldKind::Dye);
    fields.run(Operation::ReadMap { domain, map: maps[0], fading: Some((maps[1], 0.3)), to: dye });
    all.field("dye that fades", fields.session, dye);
    for (stamp, map) in [Stamp::Replace, Stamp::FillUp].into_iter().zip(maps) {
        let (first, size) = ([size[0] / 3, size[1] / 4, 0], [(size[0] / 2).max(1), (size[1] / 2).max(1), 1]);
        let values = fields.session.upload(&random.many(size[0] * size[1] * 4, 1.0)).expect("memory");
        fields.run(Operation::StampMap { domain, stamp, first, size, values, dye, map });
        all.field(&format!("{stamp:?} on a map"), fields.session, map.map);
        all.field(&format!("{stamp:?} on the residual of a map"), fields.session, map.residual);
    }
    let filled = fields.unspecified(FieldKind::Dye);
    fields.run(Operation::FillSolids { domain, from: dye, to: filled });
    all.field("dye with solids filled", fields.session, filled);
}
