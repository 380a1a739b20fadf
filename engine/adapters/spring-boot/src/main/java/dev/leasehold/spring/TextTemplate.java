package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * A text of an annotation that may be made of properties and of expressions over the arguments of a call: the name of a lease, or an
 * occurrence. It is split into literal parts and expressions first, so that the value of a property is never taken for an expression.
 */
final class TextTemplate {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final String attribute;
    private final String text;
    private final Method method;
    private final List<Expression> parts;
    private final BeanFactory beans;

    private TextTemplate(String attribute, String text, Method method, List<Expression> parts, BeanFactory beans) {
        this.attribute = attribute;
        this.text = text;
        this.method = method;
        this.parts = parts;
        this.beans = beans;
    }

    /**
     * Reads the text of an annotation.
     *
     * @param attribute what it is the value of, for messages
     * @throws IllegalArgumentException if no call can make a text of it, with the rule
     */
    static TextTemplate of(
            String attribute, String text, Method method, BeanFactory beans, LeasedCall.PlaceholderResolver resolver) {
        List<Expression> parts = new ArrayList<>();
        for (Expression part : parsed(attribute, text)) {
            if (part instanceof LiteralExpression) {
                parts.add(new LiteralExpression(resolved(attribute, part.getExpressionString(), resolver)));
            } else {
                checkVariables(attribute, text, method, part);
                parts.add(part);
            }
        }
        return new TextTemplate(attribute, text, method, parts, beans);
    }

    /** A text with its properties. An application may leave a property that is not there as it stands. */
    static String resolved(String attribute, String text, LeasedCall.PlaceholderResolver resolver) {
        String resolved = resolver.resolve(text);
        if (resolved.contains("${")) {
            throw refused(attribute, text, "there is no such property");
        }
        return resolved;
    }

    private static IllegalArgumentException refused(String attribute, String text, String why) {
        return new IllegalArgumentException(attribute + " " + LeaseNames.quote(text) + " is refused: " + why);
    }

    private static List<Expression> parsed(String attribute, String text) {
        Expression whole;
        try {
            whole = PARSER.parseExpression(text, new TemplateParserContext());
        } catch (ParseException e) {
            throw refused(attribute, text, String.valueOf(e.getMessage()));
        }
        return whole instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(whole);
    }

    private static void checkVariables(String attribute, String text, Method method, Expression part) {
        if (part.getExpressionString().contains("${")) {
            throw refused(
                    attribute,
                    text,
                    "a property inside of an expression would be run as a part of it. Write the property outside of #{...}, or"
                            + " #{@environment.getProperty('...')}");
        }
        Set<String> variables = new HashSet<>();
        if (part instanceof SpelExpression expression) {
            collectVariables(expression.getAST(), variables);
        }
        variables.removeAll(Set.of("root", "this"));
        for (int i = 0; i < method.getParameterCount(); i++) {
            variables.removeAll(Set.of("p" + i, "a" + i));
        }
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        for (String variable : variables) {
            if (names == null) {
                throw refused(
                        attribute,
                        text,
                        "the class does not have the names of its parameters, so #" + variable
                                + " would be null. Compile it with -parameters, or write #p0 for the first one of "
                                + method.getParameterCount());
            } else if (!List.of(names).contains(variable)) {
                throw refused(
                        attribute,
                        text,
                        "the method has no parameter " + variable + ", only " + String.join(", ", names));
            }
        }
    }

    private static void collectVariables(SpelNode node, Set<String> variables) {
        if (node instanceof VariableReference) {
            variables.add(node.toStringAST().substring(1));
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            collectVariables(node.getChild(i), variables);
        }
    }

    /** {@return the text if it is the same for all calls; null if it depends on the call} */
    @Nullable String constant() {
        StringBuilder made = new StringBuilder();
        for (Expression part : parts) {
            if (!(part instanceof LiteralExpression)) {
                return null;
            }
            made.append(part.getExpressionString());
        }
        return made.toString();
    }

    /** The text for a call. Refuses a part that comes to null, which would make one lease, or one occurrence, of many. */
    String of(Object target, Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        StringBuilder made = new StringBuilder();
        for (Expression part : parts) {
            Object value = part.getValue(context);
            if (value == null) {
                throw refused(attribute, text, "#{" + part.getExpressionString() + "} comes to null");
            }
            made.append(value);
        }
        return made.toString();
    }
}
