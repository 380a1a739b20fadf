package dev.leasehold.operator;

import java.io.IOException;
import java.io.OutputStream;

/** As behind {@code head}: nothing reads it any more. */
final class ClosedPipe extends OutputStream {

    @Override
    public void write(int one) throws IOException {
        throw new IOException("broken pipe");
    }
}
