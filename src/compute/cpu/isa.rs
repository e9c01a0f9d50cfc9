//! The instruction sets.

use std::sync::OnceLock;

/// An instruction set. Kernels are compiled for each, with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Baseline of the platform: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2 with FMA and BMI2: x86-64 processors since about 2013.
    Avx2,
    /// AVX-512 (F, BW, CD, DQ, VL).
    Avx512,
}

impl Isa {
    /// All instruction sets, the best last.
    const ALL: [Isa; 3] = [Isa::Baseline, Isa::Avx2, Isa::Avx512];

    /// Whether this processor has the instruction set; the processor is asked once.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        macro_rules! has {
            ($($feature:tt),*) => { true $(&& is_x86_feature_detected!($feature))* };
        }
        match self {
            Isa::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => has!("avx2", "fma", "bmi2"),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The instruction sets of this processor, the best last.
    pub fn available() -> Vec<Isa> {
        Isa::ALL.into_iter().filter(|isa| isa.is_available()).collect()
    }

    /// The best instruction set of this processor, or the available one that the environment variable `FLOW_ISA` names.
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| {
            let available = Isa::available();
            let name = std::env::var("FLOW_ISA").unwrap_or_default();
            let named = available.iter().find(|isa| isa.name().eq_ignore_ascii_case(&name));
            named.or(available.last()).copied().unwrap_or(Isa::Baseline)
        })
    }

    /// Name for users.
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline if cfg!(target_arch = "x86_64") => "SSE2",
            Isa::Baseline if cfg!(target_arch = "aarch64") => "NEON",
            Isa::Baseline => "baseline",
            Isa::Avx2 => "AVX2",
            Isa::Avx512 => "AVX-512",
        }
    }
}
