/** What is measured, for Prometheus. */
@NullMarked
package dev.leasehold.mergequeue.metrics;

import org.jspecify.annotations.NullMarked;
