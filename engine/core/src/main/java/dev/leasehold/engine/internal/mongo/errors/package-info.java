/**
 * What an exception of the driver means: its kind, and the outcome or the exception of the engine that follows, for each
 * kind of command.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo.errors;

import org.jspecify.annotations.NullMarked;
