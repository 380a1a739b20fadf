/** Processes of their own that compete, and the lines by which they are told what to do. */
@NullMarked
package dev.leasehold.bench.process;

import org.jspecify.annotations.NullMarked;
