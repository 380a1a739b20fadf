package dev.leasehold.simulator.store;

import dev.leasehold.engine.store.LeaseChange;

/**
 * What a change stream tells.
 *
 * @param namespace whose streams tell it
 * @param change what they tell
 */
record Told(String namespace, LeaseChange change) {}
