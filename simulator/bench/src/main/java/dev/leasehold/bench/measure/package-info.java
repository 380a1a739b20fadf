/**
 * Figures and what they are worth: samples of rounds, their spread, ratios between entrants, goals and verdicts. Knows nothing of
 * databases.
 */
@NullMarked
package dev.leasehold.bench.measure;

import org.jspecify.annotations.NullMarked;
