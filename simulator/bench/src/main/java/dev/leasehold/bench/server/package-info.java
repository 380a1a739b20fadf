/** The servers that the contestants need, started from what is on the {@code PATH}, and ended. */
@NullMarked
package dev.leasehold.bench.server;

import org.jspecify.annotations.NullMarked;
