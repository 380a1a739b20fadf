/** The documents of the providers, one each, written in transactions that commit only while the provider's lease is held. */
@NullMarked
package dev.leasehold.mergequeue.store;

import org.jspecify.annotations.NullMarked;
