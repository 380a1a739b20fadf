/** What is measured: one class for each row of the table, and the rounds in which its entrants take turns. */
@NullMarked
package dev.leasehold.bench.row;

import org.jspecify.annotations.NullMarked;
