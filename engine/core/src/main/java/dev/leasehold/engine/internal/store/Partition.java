package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.LeaseIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * One of the parts that a namespace is kept in, each with a clock document and leases of its own. A lease lies in one of
 * them for as long as the namespace has that many.
 *
 * @param namespace the namespace as a whole
 * @param index which part, from 0
 * @param count how many parts the namespace has; 1 for a namespace that is not divided
 */
public record Partition(String namespace, int index, int count) {

    public Partition {
        if (count < 1 || count > LeaseIds.PARTITIONS_MAX || index < 0 || index >= count) {
            throw new IllegalArgumentException("partition " + index + " of " + count
                    + " is refused: a namespace has 1 to " + LeaseIds.PARTITIONS_MAX + ", counted from 0");
        }
    }

    /** All of a namespace that is not divided. */
    public static Partition whole(String namespace) {
        return new Partition(namespace, 0, 1);
    }

    /** The parts of a namespace, in their order. */
    public static List<Partition> all(String namespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> new Partition(namespace, index, count))
                .toList();
    }

    /**
     * In which part a lease lies. Engines of all versions must agree, and documents stay where they are: this never changes.
     *
     * @param name of the lease
     * @param count how many parts there are
     * @return the CRC-32 of the name in UTF-8, modulo the number of parts
     */
    public static int indexOf(String name, int count) {
        if (count == 1) {
            return 0;
        }
        CRC32 sum = new CRC32();
        sum.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % count);
    }

    /** What stands in the ids of its documents, and in its tenures, for the namespace. */
    public String id() {
        return LeaseIds.partition(namespace, index);
    }

    /** The ids of all parts of the namespace. */
    public List<String> idsOfAll() {
        return all(namespace, count).stream().map(Partition::id).toList();
    }
}
