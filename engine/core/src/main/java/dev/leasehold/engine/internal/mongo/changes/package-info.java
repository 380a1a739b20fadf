/** The change stream of a namespace, with the events for engines and those for people. */
@NullMarked
package dev.leasehold.engine.internal.mongo.changes;

import org.jspecify.annotations.NullMarked;
