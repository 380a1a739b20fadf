/** The public interface, carried out: arguments are checked, requests handed over, answers waited for. */
@NullMarked
package dev.leasehold.engine.internal.operations;

import org.jspecify.annotations.NullMarked;
