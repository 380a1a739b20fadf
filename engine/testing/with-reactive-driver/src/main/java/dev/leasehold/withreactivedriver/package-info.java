/** A service that uses MongoDB's driver for reactive streams beside the engine, which uses the synchronous one. */
@NullMarked
package dev.leasehold.withreactivedriver;

import org.jspecify.annotations.NullMarked;
