/** Implements the public API: validates arguments, submits operations, and waits for their answers. */
@NullMarked
package dev.leasehold.engine.internal.operations;

import org.jspecify.annotations.NullMarked;
