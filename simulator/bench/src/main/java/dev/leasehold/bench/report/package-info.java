/** What people read: tables, charts and the page of a run. */
@NullMarked
package dev.leasehold.bench.report;

import org.jspecify.annotations.NullMarked;
