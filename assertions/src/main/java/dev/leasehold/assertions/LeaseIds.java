package dev.leasehold.assertions;

import java.nio.charset.StandardCharsets;

/**
 * The {@code _id} of each kind of document that Leasehold stores. They share one collection.
 *
 * <table>
 *   <caption>Ids</caption>
 *   <tr><th>document</th><th>{@code _id}</th></tr>
 *   <tr><td>clock document of a namespace</td><td>{@code <namespace>}</td></tr>
 *   <tr><td>lease document</td><td>{@code <namespace>#<name>}</td></tr>
 *   <tr><td>wait queue of a lease</td><td>{@code <namespace>&amp;<name>}</td></tr>
 *   <tr><td>gate stripe of a lease, by its number</td><td>{@code <namespace>!<stripe>#<name>}</td></tr>
 *   <tr><td>record of an occurrence of the work of a lease</td><td>{@code <namespace>%<bytes>#<name>#<occurrence>}</td></tr>
 * </table>
 *
 * <p>A namespace may be kept in several partitions, each of which has a clock document and lease documents of its own. The
 * first of them is named as the namespace is; the others are named {@code <namespace>~1}, {@code <namespace>~2} and so
 * on, and that name stands in their ids where the namespace's stands above.
 *
 * <p>Two different documents never share an id, whatever the lease is called: a namespace has neither {@code #} nor {@code
 * !} nor {@code %} nor {@code &amp;}, so the first of them in an id ends the namespace and tells the kind. Nor has it a {@code ~}, so that no
 * partition is another namespace. In the id of a record {@code <bytes>} is the length of the name in UTF-8, which tells the
 * name from the occurrence.
 *
 * <p>All methods are pure and may be called by any thread.
 */
public final class LeaseIds {

    /** How many partitions a namespace can have. */
    public static final int PARTITIONS_MAX = 64;

    static final char PARTITION_FOLLOWS = '~';

    /** The most gate stripes that a lease can have. */
    public static final int STRIPES_MAX = 64;

    private static final char NAME_FOLLOWS = '#';
    private static final char STRIPE_FOLLOWS = '!';
    private static final char RECORD_FOLLOWS = '%';
    private static final char QUEUE_FOLLOWS = '&';

    /** The character after the {@link #NAME_FOLLOWS}, so that a range can end there. */
    private static final char AFTER_NAME_FOLLOWS = '$';

    /** The character after the {@link #QUEUE_FOLLOWS}. */
    private static final char AFTER_QUEUE_FOLLOWS = '\'';

    /** The character after the {@link #RECORD_FOLLOWS}. */
    private static final char AFTER_RECORD_FOLLOWS = '&';

    private LeaseIds() {}

    /**
     * The name of one partition of a namespace.
     *
     * @param namespace a namespace, as {@link LeaseNames#checkNamespace} allows it
     * @param index which one, 0 to 63
     * @return the namespace itself for 0, else {@code <namespace>~<index>}
     * @throws IllegalArgumentException if the namespace or the index breaks its rule
     */
    public static String partition(String namespace, int index) {
        if (index < 0 || index >= PARTITIONS_MAX) {
            throw new IllegalArgumentException(
                    "partition " + index + " is refused: it must be 0 to " + (PARTITIONS_MAX - 1));
        }
        LeaseNames.checkNamespace(namespace);
        return index == 0 ? namespace : namespace + PARTITION_FOLLOWS + index;
    }

    /**
     * The namespace that a partition belongs to.
     *
     * @param partition a partition, as {@link LeaseNames#checkPartition} allows it
     * @return its name up to the {@code ~}, or all of it where it has none
     * @throws IllegalArgumentException if the partition breaks its rule
     */
    public static String namespaceOf(String partition) {
        int mark = LeaseNames.checkPartition(partition).indexOf(PARTITION_FOLLOWS);
        return mark < 0 ? partition : partition.substring(0, mark);
    }

    /**
     * The id of a clock document.
     *
     * @param partition a namespace or a partition of one, as {@link LeaseNames#checkPartition} allows it
     * @return the id
     * @throws IllegalArgumentException if the partition breaks its rule
     */
    public static String clockId(String partition) {
        return LeaseNames.checkPartition(partition);
    }

    /**
     * The id of a lease document.
     *
     * @param partition the namespace or partition that the lease lies in, as {@link LeaseNames#checkPartition} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @return the id
     * @throws IllegalArgumentException if the partition or the name breaks its rule
     */
    public static String leaseId(String partition, String name) {
        return LeaseNames.checkPartition(partition) + NAME_FOLLOWS + LeaseNames.checkName(name);
    }

    /**
     * The id of the document with the wait queue of a lease.
     *
     * @param partition the namespace or partition that the lease lies in, as {@link LeaseNames#checkPartition} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @return the id
     * @throws IllegalArgumentException if the partition or the name breaks its rule
     */
    public static String queueId(String partition, String name) {
        return LeaseNames.checkPartition(partition) + QUEUE_FOLLOWS + LeaseNames.checkName(name);
    }

    /**
     * The range of the ids of all wait queues of a partition.
     *
     * @param partition a namespace or a partition of one, as {@link LeaseNames#checkPartition} allows it
     * @return a range that has the ids of these documents, and of no other
     * @throws IllegalArgumentException if the partition breaks its rule
     */
    public static Range queueIds(String partition) {
        LeaseNames.checkPartition(partition);
        return new Range(partition + QUEUE_FOLLOWS, partition + AFTER_QUEUE_FOLLOWS);
    }

    /**
     * The id of one of the gate stripes of a lease.
     *
     * @param partition the namespace or partition that the lease lies in, as {@link LeaseNames#checkPartition} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @param stripe its number, 1 to {@value #STRIPES_MAX}
     * @return the id
     * @throws IllegalArgumentException if one of the three breaks its rule
     */
    public static String stripeId(String partition, String name, int stripe) {
        if (stripe < 1 || stripe > STRIPES_MAX) {
            throw new IllegalArgumentException("gate stripe " + stripe + " is refused: it must be 1 to " + STRIPES_MAX);
        }
        return LeaseNames.checkPartition(partition)
                + STRIPE_FOLLOWS
                + stripe
                + NAME_FOLLOWS
                + LeaseNames.checkName(name);
    }

    /**
     * The id of the record of one occurrence of the work of a lease.
     *
     * @param partition the namespace or partition that the lease lies in, as {@link LeaseNames#checkPartition} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @param occurrence the occurrence, as {@link LeaseNames#checkOccurrence} allows it
     * @return the id
     * @throws IllegalArgumentException if one of the three breaks its rule
     */
    public static String occurrenceId(String partition, String name, String occurrence) {
        return recordsOf(partition, name) + NAME_FOLLOWS + LeaseNames.checkOccurrence(occurrence);
    }

    /**
     * The range of the ids of all records of one lease. They are in the order of the occurrences, as the database compares texts.
     *
     * @param partition the namespace or partition that the lease lies in, as {@link LeaseNames#checkPartition} allows it
     * @param name the lease's name, as {@link LeaseNames#checkName} allows it
     * @return a range that has the ids of these documents, and of no other
     * @throws IllegalArgumentException if one of the two breaks its rule
     */
    public static Range occurrenceIds(String partition, String name) {
        String records = recordsOf(partition, name);
        return new Range(records + NAME_FOLLOWS, records + AFTER_NAME_FOLLOWS);
    }

    /**
     * The range of the ids of all records of a partition.
     *
     * @param partition a namespace or a partition of one, as {@link LeaseNames#checkPartition} allows it
     * @return a range that has the ids of these documents, and of no other
     * @throws IllegalArgumentException if the partition breaks its rule
     */
    public static Range occurrenceIds(String partition) {
        LeaseNames.checkPartition(partition);
        return new Range(partition + RECORD_FOLLOWS, partition + AFTER_RECORD_FOLLOWS);
    }

    private static String recordsOf(String partition, String name) {
        return LeaseNames.checkPartition(partition)
                + RECORD_FOLLOWS
                + LeaseNames.checkName(name).getBytes(StandardCharsets.UTF_8).length
                + NAME_FOLLOWS
                + name;
    }

    /**
     * A range of ids, as the database compares them.
     *
     * @param from the first that may be in it
     * @param below the first after it
     */
    public record Range(String from, String below) {}

    /**
     * Checks how many gate stripes a lease is to have.
     *
     * @param stripes 0 to {@value #STRIPES_MAX}; 0 for none
     * @return the same number
     * @throws IllegalArgumentException if there are fewer or more
     */
    public static int checkStripes(int stripes) {
        if (stripes < 0 || stripes > STRIPES_MAX) {
            throw new IllegalArgumentException(
                    "gate stripes " + stripes + " is refused: it must be 0, for none, to " + STRIPES_MAX);
        }
        return stripes;
    }
}
