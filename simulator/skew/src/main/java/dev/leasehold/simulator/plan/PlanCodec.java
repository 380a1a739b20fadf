package dev.leasehold.simulator.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.util.List;

/**
 * Plans as JSON, to be read and edited by people: a line for the profile, for each part of the setting, each machine and each command.
 * An action names itself by its field {@code do}. What is null is left out. The same plan gives the same text.
 */
public final class PlanCodec {

    /** How actions name themselves. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "do")
    private interface Named {}

    private static final JsonMapper MAPPER = mapper();
    private static final ObjectWriter WRITER = MAPPER.writer(inOneLine());

    private PlanCodec() {}

    private static JsonMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                .enable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                .addMixIn(Action.class, Named.class);
        for (Class<?> kind : Action.class.getPermittedSubclasses()) {
            builder.registerSubtypes(new NamedType(kind, word(kind)));
        }
        return builder.build();
    }

    private static PrettyPrinter inOneLine() {
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEntrySpacing(Separators.Spacing.AFTER)
                .withArrayValueSpacing(Separators.Spacing.AFTER);
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
        printer.indentObjectsWith(new DefaultPrettyPrinter.NopIndenter());
        printer.indentArraysWith(new DefaultPrettyPrinter.NopIndenter());
        return printer;
    }

    /** {@code TakeOver} is written as {@code takeOver}. */
    private static String word(Class<?> action) {
        String name = action.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /** Writes a plan. */
    public static String toJson(Plan plan) {
        StringBuilder text = new StringBuilder(256 + 160 * plan.commands().size());
        text.append("{\n  \"profile\": ")
                .append(json(plan.profile()))
                .append(",\n  \"seed\": ")
                .append(plan.seed());
        text.append(",\n  \"setting\": ").append(settingJson(plan.setting()));
        appendLines(text, "machines", plan.machines());
        appendLines(text, "commands", plan.commands());
        return text.append("\n}\n").toString();
    }

    private static String settingJson(Setting setting) {
        return json(setting)
                .replace(" \"network\":", "\n    \"network\":")
                .replace(" \"database\":", "\n    \"database\":");
    }

    private static void appendLines(StringBuilder text, String name, List<?> values) {
        text.append(",\n  \"").append(name).append("\": [");
        for (int i = 0; i < values.size(); i++) {
            text.append(i == 0 ? "\n    " : ",\n    ").append(json(values.get(i)));
        }
        text.append(values.isEmpty() ? "]" : "\n  ]");
    }

    private static String json(Object value) {
        try {
            return WRITER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what a plan is made of can always be written: " + value, e);
        }
    }

    /**
     * Reads a plan, and checks it.
     *
     * @throws IllegalArgumentException if it is no plan, or one that breaks a rule; the message begins with the place
     */
    public static Plan fromJson(String json) {
        Plan plan;
        try {
            plan = MAPPER.readValue(json, Plan.class);
        } catch (JsonMappingException e) {
            throw new IllegalArgumentException(path(e) + " (" + position(e.getLocation()) + "): " + what(e), e);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(position(e.getLocation()) + ": this is no JSON: " + what(e), e);
        }
        if (plan == null) {
            throw new IllegalArgumentException("plan: null is refused: it must be there");
        }
        PlanRules.check(plan);
        return plan;
    }

    /** As in {@code commands[3].action}. */
    private static String path(JsonMappingException thrown) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : thrown.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        }
        return path.isEmpty() ? "plan" : path.toString();
    }

    private static String position(JsonLocation location) {
        return location == null
                ? "place unknown"
                : "line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static String what(JsonProcessingException thrown) {
        if (thrown.getCause() instanceof NullPointerException) {
            return "one of its lists is missing";
        }
        if (thrown.getOriginalMessage().startsWith("Cannot map `null`")) {
            return "nothing is refused: it must be there";
        }
        return thrown.getOriginalMessage().lines().findFirst().orElse("no more is known");
    }
}
