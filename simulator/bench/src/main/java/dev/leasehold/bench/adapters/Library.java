package dev.leasehold.bench.adapters;

import dev.leasehold.bench.measure.Role;
import java.time.Duration;

/** Something that competes: Leasehold, a library that one would use instead, or bare commands of the driver. */
public enum Library {
    /** A lease kept by the engine's session. */
    SESSION("Leasehold, session", Role.OURS, "") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return LeaseholdLocks.withSession(access, namespace, length);
        }
    },
    /** A lease with a term of its own. */
    TERM("Leasehold, term", Role.OURS, "claim and release are transactions on the clock document") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return LeaseholdLocks.withTerm(access, namespace, 1, length);
        }
    },
    /** The same in a namespace with several clock documents. */
    TERM_IN_PARTITIONS("Leasehold, term, 16 partitions", Role.OURS, "on 16 clock documents") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return LeaseholdLocks.withTerm(access, namespace + "-parted", 16, length);
        }
    },
    /** ShedLock's provider for MongoDB. */
    SHEDLOCK("ShedLock", Role.PEER, "7.9.0; cannot wait: repeated every 50 ms here") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new ShedLocks(access, namespace, length);
        }
    },
    /** The fenced lock of Essentials. */
    FENCED_LOCK("FencedLock", Role.PEER, "Essentials 0.40.23; asks once a second for a held lock") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return FencedLocks.forWaiters(access, namespace, length);
        }
    },
    /** The locks of etcd. */
    ETCD("etcd", Role.PEER, "jetcd 0.8.7, another server, three nodes") {
        @Override
        public Locks open(Access access, String namespace, Duration length) throws Exception {
            return new EtcdLocks(access, namespace, length);
        }

        @Override
        public boolean isThere(ServerAddresses place) {
            return place.etcd() != null;
        }
    },
    /** The recipe for locks of ZooKeeper. */
    CURATOR("Curator", Role.PEER, "5.9.0, on ZooKeeper 3.9.5, another server, three nodes") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new ZooKeeperLocks(access, namespace, length);
        }

        @Override
        public boolean isThere(ServerAddresses place) {
            return place.zooKeeper() != null;
        }
    },
    /** Locks in Redis. */
    REDISSON("Redisson", Role.ONE_NODE_PEER, "4.7.0, on one Redis, synced for every write") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new RedisLocks(access, namespace, length, false);
        }

        @Override
        public boolean isThere(ServerAddresses place) {
            return place.redis() != null;
        }
    },
    /** Locks in Redis that are granted in the order of the requests. */
    REDISSON_FAIR("Redisson, fair lock", Role.ONE_NODE_PEER, "as Redisson") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new RedisLocks(access, namespace, length, true);
        }

        @Override
        public boolean isThere(ServerAddresses place) {
            return place.redis() != null;
        }
    },
    /** Locks in a table. */
    JDBC(
            "JdbcLockRegistry",
            Role.ONE_NODE_PEER,
            "Spring Integration 6.5.6 on one PostgreSQL, synced for every commit; asks every 100 ms for a held lock;"
                    + " up to " + JdbcLocks.CONNECTIONS_MAX + " connections and " + JdbcLocks.CACHE_CAPACITY
                    + " locks in a process, not 10 and 256 as by default") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new JdbcLocks(access, namespace, length);
        }

        @Override
        public boolean isThere(ServerAddresses place) {
            return place.postgres() != null;
        }
    },
    /** One command. */
    ONE_WRITE("bare findAndModify", Role.BARE, "one write with majority: the limit") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return BareLocks.ofOneWrite(access, namespace);
        }
    },
    /** Two commands. */
    TWO_WRITES("bare pair", Role.BARE, "two findAndModify: the smallest lease by hand") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return BareLocks.ofTwoWrites(access, namespace);
        }
    },
    /** Two commands, and a change stream between them. */
    TOLD("bare pair, change stream", Role.BARE, "the smallest lease by hand with woken waiters") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new NotifiedLocks(access, namespace);
        }
    },
    /** One command that makes a waiter the holder, and a change stream that tells it. */
    GRANTED(
            "bare hand-over, change stream",
            Role.BARE,
            "an order of waiters and a hand-over in one write by hand: the limit") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return new GrantedLocks(access, namespace);
        }
    },
    /** Two commands in one transaction. */
    TRANSACTION("bare transaction", Role.BARE, "two updates and a commit") {
        @Override
        public Locks open(Access access, String namespace, Duration length) {
            return BareLocks.ofOneTransaction(access, namespace);
        }
    };

    private final String title;
    private final Role role;
    private final String remark;

    Library(String title, Role role, String remark) {
        this.title = title;
        this.role = role;
        this.remark = remark;
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
        return true;
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
    public abstract Locks open(Access access, String namespace, Duration length) throws Exception;
}
