package dev.leasehold.mergequeue.store;

import org.bson.BsonDocument;

/**
 * How the document of a provider stands: another one after each write, and also after a change by hand that changes the size of the document
 * or one of its simple fields. To be compared.
 *
 * @param fields those that are not large, and the size of the document
 */
public record Revision(BsonDocument fields) {}
