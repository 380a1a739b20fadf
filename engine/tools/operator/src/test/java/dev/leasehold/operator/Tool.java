package dev.leasehold.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.leasehold.replicaset.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The tool, in this process, with an environment of its own and a person who answers or not. */
final class Tool {

    static final String NAMESPACE = "billing";

    private final Map<String, String> environment = new HashMap<>();
    private @Nullable Function<String, String> person;

    /** Without any environment, and no person to ask. */
    static Tool alone() {
        return new Tool();
    }

    static Tool on(TestDatabase database) {
        return on(database, database.uri());
    }

    static Tool on(TestDatabase database, String uri) {
        Tool tool = new Tool();
        tool.environment.put("LEASEHOLD_URI", uri);
        tool.environment.put("LEASEHOLD_DATABASE", database.name());
        tool.environment.put("LEASEHOLD_NAMESPACE", NAMESPACE);
        return tool;
    }

    Tool with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** At a terminal, where questions get this answer. */
    Tool answering(Function<String, String> answer) {
        person = answer;
        return this;
    }

    Result run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.execute(context(new PrintWriter(out), new PrintWriter(err)), arguments);
        return new Result(exitCode, out.toString(), err.toString());
    }

    CommandContext context(PrintWriter out, PrintWriter err) {
        return new CommandContext(out, err, environment, new Terminal() {
            @Override
            public boolean isInteractive() {
                return person != null;
            }

            @Override
            public @Nullable String ask(String question) {
                return person == null ? null : person.apply(question);
            }
        });
    }

    /** What came of a command. */
    record Result(int exitCode, String out, String err) {

        JsonNode json() {
            return parsed(out);
        }

        JsonNode jsonError() {
            return parsed(err);
        }

        private static JsonNode parsed(String text) {
            try {
                return JsonMapper.builder().build().readTree(text);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON: " + text, e);
            }
        }
    }
}
