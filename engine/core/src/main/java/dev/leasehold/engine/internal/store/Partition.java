package dev.leasehold.engine.internal.store;

import dev.leasehold.assertions.LeaseIds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * A part of a namespace with its own clock document and leases. A lease stays in its partition as long as the number of
 * partitions does not change.
 *
 * @param namespace the whole namespace
 * @param index of the partition, from 0
 * @param count the number of partitions; 1 for a namespace that is not partitioned
 */
public record Partition(String namespace, int index, int count) {

    public Partition {
        if (count < 1 || count > LeaseIds.PARTITIONS_MAX || index < 0 || index >= count) {
            throw new IllegalArgumentException("partition " + index + " of " + count
                    + " is refused: a namespace has 1 to " + LeaseIds.PARTITIONS_MAX + ", counted from 0");
        }
    }

    /** The only partition of a namespace that is not partitioned. */
    public static Partition whole(String namespace) {
        return new Partition(namespace, 0, 1);
    }

    /** All partitions of a namespace, by index. */
    public static List<Partition> all(String namespace, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> new Partition(namespace, index, count))
                .toList();
    }

    /**
     * The index of a lease's partition. Never changes: engines of all versions must agree, and documents are not moved.
     *
     * @param name of the lease
     * @param count the number of partitions
     * @return the CRC-32 of the name in UTF-8, modulo the number of partitions
     */
    public static int indexOf(String name, int count) {
        if (count == 1) {
            return 0;
        }
        CRC32 sum = new CRC32();
        sum.update(name.getBytes(StandardCharsets.UTF_8));
        return (int) (sum.getValue() % count);
    }

    /** The id that stands for the namespace in document ids and tenures of this partition. */
    public String id() {
        return LeaseIds.partition(namespace, index);
    }

    /** The ids of all partitions of the namespace. */
    public List<String> idsOfAll() {
        return all(namespace, count).stream().map(Partition::id).toList();
    }
}
