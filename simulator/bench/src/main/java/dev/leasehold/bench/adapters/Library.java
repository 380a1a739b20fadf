package dev.leasehold.bench.adapters;

import dev.leasehold.bench.measure.Role;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Predicate;

/** Something that competes: Leasehold, a library that one would use instead, or bare commands of the driver. */
public enum Library {
    /** A lease kept by the engine's session. */
    SESSION("Leasehold, session", Role.OURS, "", LeaseholdLocks::withSession),
    /** A lease with a term of its own. */
    TERM(
            "Leasehold, term",
            Role.OURS,
            "claim and release are transactions on the clock document",
            (access, namespace, length) -> LeaseholdLocks.withTerm(access, namespace, 1, length)),
    /** The same in a namespace with several clock documents. */
    TERM_IN_PARTITIONS(
            "Leasehold, term, 16 partitions",
            Role.OURS,
            "on 16 clock documents",
            (access, namespace, length) -> LeaseholdLocks.withTerm(access, namespace + "-parted", 16, length)),
    /** ShedLock's provider for MongoDB. */
    SHEDLOCK("ShedLock", Role.PEER, "7.9.0; cannot wait: repeated every 50 ms here", ShedLocks::notExtended),
    /** The fenced lock of Essentials. */
    FENCED_LOCK(
            "FencedLock", Role.PEER, "Essentials 0.40.23; asks once a second for a held lock", FencedLocks::forWaiters),
    /** The locks of etcd. */
    ETCD("etcd", Role.PEER, "jetcd 0.8.7, another server, three nodes", EtcdLocks::new, place -> place.etcd() != null),
    /** The recipe for locks of ZooKeeper. */
    CURATOR(
            "Curator",
            Role.PEER,
            "5.9.0, on ZooKeeper 3.9.5, another server, three nodes",
            ZooKeeperLocks::new,
            place -> place.zooKeeper() != null),
    /** Locks in Redis. */
    REDISSON(
            "Redisson",
            Role.ONE_NODE_PEER,
            "4.7.0, on one Redis, synced for every write",
            (access, namespace, length) -> new RedisLocks(access, namespace, length, false),
            place -> place.redis() != null),
    /** Locks in Redis that are granted in the order of the requests. */
    REDISSON_FAIR(
            "Redisson, fair lock",
            Role.ONE_NODE_PEER,
            "as Redisson",
            (access, namespace, length) -> new RedisLocks(access, namespace, length, true),
            place -> place.redis() != null),
    /** Locks in a table. */
    JDBC(
            "JdbcLockRegistry",
            Role.ONE_NODE_PEER,
            "Spring Integration 6.5.6 on one PostgreSQL, synced for every commit; asks every 100 ms for a held lock;"
                    + " up to " + JdbcLocks.CONNECTIONS_MAX + " connections and " + JdbcLocks.CACHE_CAPACITY
                    + " locks in a process, not 10 and 256 as by default",
            JdbcLocks::new,
            place -> place.postgres() != null),
    /** One command. */
    ONE_WRITE(
            "bare findAndModify",
            Role.BARE,
            "one write with majority: the limit",
            (access, namespace, length) -> new BareLocks(access, namespace, BareLocks.Way.ONE_WRITE)),
    /** Two commands. */
    TWO_WRITES(
            "bare pair",
            Role.BARE,
            "two findAndModify: the smallest lease by hand",
            (access, namespace, length) -> new BareLocks(access, namespace, BareLocks.Way.TWO_WRITES)),
    /** Two commands, and a change stream between them. */
    TOLD(
            "bare pair, change stream",
            Role.BARE,
            "the smallest lease by hand with woken waiters",
            (access, namespace, length) -> new NotifiedLocks(access, namespace)),
    /** One command that makes a waiter the holder, and a change stream that tells it. */
    GRANTED(
            "bare hand-over, change stream",
            Role.BARE,
            "an order of waiters and a hand-over in one write by hand: the limit",
            (access, namespace, length) -> new GrantedLocks(access, namespace)),
    /** Two commands in one transaction. */
    TRANSACTION(
            "bare transaction",
            Role.BARE,
            "two updates and a commit",
            (access, namespace, length) -> new BareLocks(access, namespace, BareLocks.Way.ONE_TRANSACTION));

    private final String title;
    private final Role role;
    private final String remark;
    private final Opening opening;
    private final Predicate<ServerAddresses> isThere;

    /** As {@link #open}. */
    private interface Opening {
        Locks open(Access access, String namespace, Duration length) throws Exception;
    }

    /** Something that needs the replica set alone. */
    Library(String title, Role role, String remark, Opening opening) {
        this(title, role, remark, opening, place -> true);
    }

    Library(String title, Role role, String remark, Opening opening, Predicate<ServerAddresses> isThere) {
        this.title = title;
        this.role = role;
        this.remark = remark;
        this.opening = opening;
        this.isThere = isThere;
    }

    /** {@return what people call it} */
    public String title() {
        return title;
    }

    /** {@return on whose side it is} */
    public Role role() {
        return role;
    }

    /** {@return what to know about its figures; empty for nothing} */
    public String remark() {
        return remark;
    }

    /** {@return whether its servers are there} */
    public boolean isThere(ServerAddresses place) {
        return isThere.test(place);
    }

    /** {@return the namespace of its locks in a row, which no other library and no other row has} */
    public String namespace(String row) {
        return row + "-" + name().toLowerCase(Locale.ROOT);
    }

    /**
     * Starts it.
     *
     * @param access to its servers
     * @param namespace keeps its locks apart from those of others
     * @param length after which a lock is free whose holder is gone
     * @return to be closed by the caller
     * @throws Exception whatever it throws
     */
    public Locks open(Access access, String namespace, Duration length) throws Exception {
        return opening.open(access, namespace, length);
    }
}
