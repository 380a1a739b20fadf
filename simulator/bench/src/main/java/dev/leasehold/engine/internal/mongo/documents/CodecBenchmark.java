package dev.leasehold.engine.internal.mongo.documents;

import dev.leasehold.engine.internal.store.LeaseDocument;
import dev.leasehold.engine.internal.store.StoredLease;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Lease documents in and out of BSON. It stands in this package because the codec is visible here alone. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CodecBenchmark {

    private static final long NOW_NANOS = 1_767_225_600_000_000_000L;

    private final LeaseCodec codec = new LeaseCodec("billing");
    private final LeaseDocument lease = new LeaseDocument(
            "billing",
            "nightly-invoices",
            "orders-7",
            3,
            "orders-7:1",
            NOW_NANOS,
            NOW_NANOS + 1,
            12,
            "run of 3 March",
            Instant.EPOCH,
            Set.of(),
            0,
            null);
    private final BsonDocument stored = stored();

    /** Made by the harness. */
    public CodecBenchmark() {}

    private BsonDocument stored() {
        BsonDocument document = new BsonDocument(Fields.ID, new BsonString("billing#nightly-invoices"));
        document.putAll(LeaseCodec.identity(lease));
        document.putAll(LeaseCodec.present(lease));
        return document;
    }

    /** A document that was read becomes a lease. */
    @Benchmark
    public StoredLease decode() {
        return codec.decode(stored);
    }

    /** A lease becomes the fields that are written each time. */
    @Benchmark
    public BsonDocument encode() {
        return LeaseCodec.present(lease);
    }
}
