/**
 * The stored documents: the names and types of their fields, their codecs, and the guards and update operators of all writes.
 *
 * <p>The codecs decode a document, or report what is wrong with it. Nothing here sends a command.
 */
@NullMarked
package dev.leasehold.engine.internal.mongo.documents;

import org.jspecify.annotations.NullMarked;
