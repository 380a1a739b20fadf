package dev.leasehold.examples.story;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class NarratorTest {

    /** As behind {@code head}, or on a disk that is full. */
    @Test
    void aStoryThatDoesNotReachItsReaderDoesNotEndWell() {
        Narrator narrator = new Narrator(new PrintStream(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("broken pipe");
            }
        }));

        assertThatIllegalStateException()
                .isThrownBy(() -> narrator.chapter("1. The end."))
                .withMessageContaining("could not be written");
        assertThatIllegalStateException().isThrownBy(() -> narrator.show(new Document()));
        assertThatIllegalStateException().isThrownBy(() -> narrator.showIndented(new Document()));
    }
}
