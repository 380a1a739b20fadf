package dev.leasehold.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExitCodesTest {

    /** Scripts rest on them. */
    @Test
    void theNumbersNeverChange() {
        assertThat(Arrays.stream(ExitCode.values()).map(code -> code.number() + " " + code))
                .containsExactly(
                        "0 DONE",
                        "1 FAILED",
                        "2 USAGE",
                        "3 NOT_FOUND",
                        "4 REFUSED",
                        "5 DECLINED",
                        "6 UNAVAILABLE",
                        "7 NOT_ALLOWED",
                        "8 UNKNOWN",
                        "9 FINDINGS",
                        "10 CORRUPT",
                        "120 NOT_RECORDED",
                        "121 NOT_ACQUIRED",
                        "122 LOST",
                        "123 NOT_RUN");
    }

    @Test
    void thePageExplainsEachOfThem() throws IOException {
        String page = Files.readString(Path.of("..", "..", "..", "docs", "operator.md"));

        for (ExitCode code : ExitCode.values()) {
            assertThat(page).contains("| " + code.number() + " | " + code.meaning() + " |");
        }
    }
}
