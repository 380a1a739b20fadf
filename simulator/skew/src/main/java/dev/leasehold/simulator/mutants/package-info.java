/**
 * Mutants: engines with one mistake each, by which it is seen that the checker finds mistakes. The engine itself has no switch for any.
 * Most mutants are put together from other {@linkplain dev.leasehold.simulator.run.EngineAssembly parts}: settings, clocks, store. A few
 * have another result of a function without effects, whose class is loaded anew with the code of package {@code advice}.
 *
 * <p>The table of the mutants is {@link dev.leasehold.simulator.mutants.Mutants}.
 */
@NullMarked
package dev.leasehold.simulator.mutants;

import org.jspecify.annotations.NullMarked;
