/**
 * The one seam to the database: what is stored, what may be asked of it, and what it can answer.
 *
 * <p>Two stores pass the same contract: MongoDB, and the simulated one. The types here say nothing about when a
 * lease may be taken; they only carry documents, guards and verdicts.
 */
@NullMarked
package dev.leasehold.engine.store;

import org.jspecify.annotations.NullMarked;
