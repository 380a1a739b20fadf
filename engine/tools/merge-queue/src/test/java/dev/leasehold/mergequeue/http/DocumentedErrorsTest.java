package dev.leasehold.mergequeue.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.mergequeue.queue.Rule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page lists the codes of all refusals, and whether it helps to repeat the request. */
class DocumentedErrorsTest {

    private static final Path PAGE = Path.of("..", "..", "..", "docs", "merge-queue.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\d{3}[^|]*\\| ([^|]*) \\| (yes|no) \\|$");
    private static final Pattern CODE = Pattern.compile("`([a-z-]+)`");

    @Test
    @DisplayName("Every refusal is on the page, with whether it may help to ask again")
    void thePageHasEveryCode() throws Exception {
        Map<String, String> known = new TreeMap<>(Map.of("busy", "yes", "bad-request", "no"));
        for (Method method : ApiException.class.getDeclaredMethods()) {
            if (Modifier.isStatic(method.getModifiers()) && method.getReturnType() == ApiException.class) {
                ApiException refusal = (ApiException) method.invoke(null, arguments(method));
                known.put(refusal.code(), refusal.mayHelpToRepeat() ? "yes" : "no");
            }
        }
        known.remove(""); // what follows from a rule of the queue, of which there are many
        for (Rule rule : Rule.values()) {
            known.put(rule.code(), rule == Rule.REQUEST_LIMIT ? "yes" : "no");
        }
        known.remove("broken"); // is never meant to be seen

        assertThat(documented()).isEqualTo(known);
    }

    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == String.class
                        ? ""
                        : type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : refused())
                .toArray();
    }

    private static Object refused() {
        return new dev.leasehold.mergequeue.queue.QueueAnswer.Refused(Rule.NOT_HOLDER, "");
    }

    private static Map<String, String> documented() throws Exception {
        Map<String, String> codes = new TreeMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(PAGE)).results().toList()) {
            Stream<String> named = CODE.matcher(row.group(1)).results().map(code -> code.group(1));
            named.forEach(code -> codes.put(code, row.group(2)));
        }
        return codes;
    }
}
