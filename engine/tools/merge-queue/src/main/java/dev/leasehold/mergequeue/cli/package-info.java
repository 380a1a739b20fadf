/** The command line. */
@NullMarked
package dev.leasehold.mergequeue.cli;

import org.jspecify.annotations.NullMarked;
