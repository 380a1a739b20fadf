/** The way to the database: the collection with its time limits, the two driver sessions, and the checks of server and driver. */
@NullMarked
package dev.leasehold.engine.internal.mongo.connection;

import org.jspecify.annotations.NullMarked;
