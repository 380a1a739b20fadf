package dev.leasehold.bench.process;

import dev.leasehold.bench.measure.ProcessCost;
import dev.leasehold.bench.measure.Timings;
import dev.leasehold.bench.measure.Waits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Timings of a process, with their cost and the waits of its callers, as words of a line. */
final class TimingsCodec {

    private static final int WORDS = 6;

    private static final String NONE = "-";

    private TimingsCodec() {}

    static String encode(Timings timings) {
        ProcessCost cost = Objects.requireNonNull(timings.cost(), "a process tells its cost");
        ByteBuffer buffer = ByteBuffer.allocate(timings.latencyNanos().getNeededByteBufferCapacity());
        int length = timings.latencyNanos().encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = Arrays.copyOf(buffer.array(), length);
        return timings.ended() + " " + timings.inNanos() + " " + cost.processorNanos() + " " + cost.threadWaits() + " "
                + Base64.getEncoder().encodeToString(bytes) + " " + encode(timings.waits());
    }

    /** For each caller a list of two longs for each wait, and a letter in front, since a list may be empty. */
    private static String encode(@Nullable Waits waits) {
        return waits == null
                ? NONE
                : waits.ofCallers().stream().map(TimingsCodec::encode).collect(Collectors.joining(","));
    }

    private static String encode(List<Waits.Wait> ofCaller) {
        ByteBuffer buffer = ByteBuffer.allocate(ofCaller.size() * 2 * Long.BYTES);
        for (Waits.Wait wait : ofCaller) {
            buffer.putLong(wait.askedNanos()).putLong(wait.acquiredNanos());
        }
        return "w" + Base64.getEncoder().encodeToString(buffer.array());
    }

    private static @Nullable Waits decodeWaits(String word) {
        if (word.equals(NONE)) {
            return null;
        }
        List<List<Waits.Wait>> ofCallers = new ArrayList<>();
        for (String caller : word.split(",")) {
            ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(caller.substring(1)));
            List<Waits.Wait> waits = new ArrayList<>();
            while (buffer.hasRemaining()) {
                waits.add(new Waits.Wait(buffer.getLong(), buffer.getLong()));
            }
            ofCallers.add(waits);
        }
        return new Waits(ofCallers);
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
                    new ProcessCost(Long.parseLong(words[2]), Long.parseLong(words[3])),
                    decodeWaits(words[5]));
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("'" + text + "' is refused: it holds no histogram", e);
        }
    }
}
