package dev.leasehold.bench.process;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Timings of a process, with their cost, as words of a line. */
final class TimingsCodec {

    private static final int WORDS = 5;

    private TimingsCodec() {}

    static String encode(Timings timings) {
        ProcessCost cost = Objects.requireNonNull(timings.cost(), "a process tells its cost");
        ByteBuffer buffer = ByteBuffer.allocate(timings.latencyNanos().getNeededByteBufferCapacity());
        int length = timings.latencyNanos().encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = Arrays.copyOf(buffer.array(), length);
        return timings.ended() + " " + timings.inNanos() + " " + cost.processorNanos() + " " + cost.threadWaits() + " "
                + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Timings decode(String text) {
        String[] words = text.split(" ");
        if (words.length != WORDS) {
            throw new IllegalArgumentException("'" + text + "' is refused: timings have " + WORDS + " words");
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(words[4]));
            return new Timings(
                    Histogram.decodeFromCompressedByteBuffer(bytes, 0),
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    new ProcessCost(Long.parseLong(words[2]), Long.parseLong(words[3])));
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("'" + text + "' is refused: it holds no histogram", e);
        }
    }
}
