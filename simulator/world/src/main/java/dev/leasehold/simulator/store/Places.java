package dev.leasehold.simulator.store;

import dev.leasehold.engine.internal.store.Partition;
import java.util.List;

/**
 * Where the documents of a namespace lie. In which partition engines put a lease is found by looking, so that troubles befall the
 * document that there is, also when engines do not agree where it belongs.
 *
 * @param partitions the ids of the partitions, in their order
 */
record Places(List<String> partitions) {

    static Places of(Partition any) {
        return new Places(any.idsOfAll());
    }

    /** The document of a lease, or where the first partition would have it. */
    String lease(String name, Version newest) {
        for (int i = 0; i < partitions.size(); i++) {
            String id = Ids.lease(partitions.get(i), name);
            if (newest.documents().containsKey(id)) {
                return id;
            }
        }
        return Ids.lease(partitions.get(0), name);
    }

    /** One clock document after the other. */
    String clock(int number) {
        return partitions.get(number % partitions.size());
    }
}
