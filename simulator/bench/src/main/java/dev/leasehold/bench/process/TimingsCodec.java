package dev.leasehold.bench.process;

import dev.leasehold.bench.measure.Timings;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Timings as three words of a line. */
final class TimingsCodec {

    private TimingsCodec() {}

    static String encode(Timings timings) {
        ByteBuffer buffer = ByteBuffer.allocate(timings.latencyNanos().getNeededByteBufferCapacity());
        int length = timings.latencyNanos().encodeIntoCompressedByteBuffer(buffer);
        byte[] bytes = Arrays.copyOf(buffer.array(), length);
        return timings.ended() + " " + timings.inNanos() + " "
                + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static Timings decode(String text) {
        String[] words = text.split(" ");
        if (words.length != 3) {
            throw new IllegalArgumentException("'" + text + "' is refused: timings have three words");
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(words[2]));
            return new Timings(
                    Histogram.decodeFromCompressedByteBuffer(bytes, 0),
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]));
        } catch (DataFormatException | RuntimeException e) {
            throw new IllegalArgumentException("'" + text + "' is refused: it holds no histogram", e);
        }
    }
}
