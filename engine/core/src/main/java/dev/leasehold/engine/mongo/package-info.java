/**
 * The store on MongoDB: documents to BSON and back, guards to filters, the driver's exceptions to verdicts.
 *
 * <p>It decides nothing about leases. Everything runs in one driver session, in which a later transaction ends an earlier
 * one that was left open, and a read waits for whatever made an earlier transaction miss.
 */
@NullMarked
package dev.leasehold.engine.mongo;

import org.jspecify.annotations.NullMarked;
