/**
 * What functions of a mutant do instead. The code of an advice is copied into the function, so it may use only what is public. Loaded
 * with the copy of the engine, never without.
 */
@NullMarked
package dev.leasehold.simulator.mutants.advice;

import org.jspecify.annotations.NullMarked;
