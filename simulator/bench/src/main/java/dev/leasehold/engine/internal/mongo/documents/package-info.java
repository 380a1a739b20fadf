/** The benchmark of what only the package of the MongoDB store can name. */
@NullMarked
package dev.leasehold.engine.internal.mongo.documents;

import org.jspecify.annotations.NullMarked;
