/** An application that has the engine, and no Micrometer. */
@NullMarked
package dev.leasehold.withoutmicrometer;

import org.jspecify.annotations.NullMarked;
