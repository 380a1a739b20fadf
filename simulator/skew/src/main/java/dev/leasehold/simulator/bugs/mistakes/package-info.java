/**
 * What the engine does wrong when a bug is planted. The code of an advice is copied into the engine's methods, which it must therefore
 * be allowed to stand in; what is called instead of a method of the engine is called here.
 *
 * <p>Loaded with the copy of the engine, never without.
 */
@NullMarked
package dev.leasehold.simulator.bugs.mistakes;

import org.jspecify.annotations.NullMarked;
