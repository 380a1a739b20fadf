/** Leader elections: each campaigns for one lease again and again, on a thread of its own. */
@NullMarked
package dev.leasehold.engine.internal.election;

import org.jspecify.annotations.NullMarked;
