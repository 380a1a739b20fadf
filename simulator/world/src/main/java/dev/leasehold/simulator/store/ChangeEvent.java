package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.LeaseChange;

/**
 * What a change stream tells.
 *
 * @param namespace whose streams tell it
 * @param change what they tell
 */
record ChangeEvent(String namespace, LeaseChange change) {}
