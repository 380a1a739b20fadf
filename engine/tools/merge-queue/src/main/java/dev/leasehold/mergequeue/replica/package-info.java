/** A replica: which providers it serves, how it serves them, and to which it passes the requests for others on. */
@NullMarked
package dev.leasehold.mergequeue.replica;

import org.jspecify.annotations.NullMarked;
