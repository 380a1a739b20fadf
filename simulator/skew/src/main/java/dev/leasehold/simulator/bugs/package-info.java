/**
 * Bugs that are planted into copies of the engine, so that the judges are seen to find them. The engine itself has no switch for any:
 * its classes are loaded anew, and one or two methods of them are changed on the way.
 *
 * <p>The table of the bugs says what is changed; {@code mistakes} holds the code that runs instead.
 */
@NullMarked
package dev.leasehold.simulator.bugs;

import org.jspecify.annotations.NullMarked;
