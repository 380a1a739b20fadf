package dev.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.assertions.Tenure;
import dev.leasehold.engine.internal.rules.Request;
import dev.leasehold.engine.internal.runtime.LogContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts of documents and of callers in messages. The id of a damaged document may be any text. */
class ShownTextsTest {

    /** Colours a terminal, begins a line of its own, and turns the rest around. */
    private static final String HOSTILE = "x\u001b[31m\nFAKE  active\u202e\u2028";

    /** Allowed in names. */
    private static final String DISGUISED = "x\u202e\u2028y";

    private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    static List<String> messages() {
        Tenure tenure = new Tenure("billing", DISGUISED, DISGUISED, 7);
        Set<String> pins = Set.of(DISGUISED);
        LeaseState held =
                new LeaseState.Held(tenure, LeaseStatus.ACTIVE, Instant.EPOCH, Instant.EPOCH, DISGUISED, true, pins);
        LeaseState vacant = new LeaseState.Vacant(DISGUISED, 7, DISGUISED, pins);
        return List.of(
                held.describe(),
                vacant.describe(),
                new LeaseState.Absent(HOSTILE).describe(),
                new LeaseState.Corrupt(HOSTILE, "billing#" + HOSTILE, "writers." + HOSTILE, "is missing").describe(),
                String.valueOf(new CorruptDocumentException("billing#" + HOSTILE, HOSTILE, "is missing").getMessage()),
                String.valueOf(
                        new LeaseRefusedException(new Refusal("acquiring", Refusal.Reason.PINNED, held)).getMessage()),
                LogContext.of(tenure).toString(),
                LogContext.ofLease("billing", HOSTILE).toString(),
                new Request.Release(tenure, null, false, null).describe(),
                new Request.Pin(DISGUISED, DISGUISED, true).describe(),
                LeaseRequest.of(DISGUISED).holder(DISGUISED).comment(DISGUISED).toString());
    }

    @ParameterizedTest
    @MethodSource("messages")
    @DisplayName(
            "A message shows names, holders, pins, comments and ids of documents in one line, with escapes for what cannot be seen")
    void aMessageIsOneVisibleLine(String message) {
        assertThat(INVISIBLE.matcher(message).find()).as(message).isFalse();
        assertThat(message).contains("\\u202e");
    }

    /** Marks that are put around a text by hand. */
    private static final Pattern BY_HAND = Pattern.compile(
            "'\" \\+ [\\w.()]*(?i:leaseName|(?<!set|full|database|context\\.)name|holder|entity|comment|reason|documentId)(\\(\\))? *\\+");

    @Test
    @DisplayName("No message puts marks around a name, a holder or an id by hand: LeaseNames.quote does it for all")
    void thereIsOnePlaceThatQuotes() throws IOException {
        List<String> byHand = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                BY_HAND.matcher(Files.readString(file))
                        .results()
                        .forEach(found -> byHand.add(file + ": " + found.group()));
            }
        }
        assertThat(byHand).isEmpty();
    }
}
