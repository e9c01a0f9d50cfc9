// Places of the scalars of conjugate gradients.

// Scalar product of the residual and the preconditioned residual.
const PRODUCT: u32 = 0u;
// The product over that of the iteration before.
const RATIO: u32 = 1u;
// Length of the step along the direction; 0 ends the iterations.
const STEP: u32 = 2u;
// Square of the residual's norm, at first and now.
const FIRST: u32 = 3u;
const SQUARE: u32 = 4u;
