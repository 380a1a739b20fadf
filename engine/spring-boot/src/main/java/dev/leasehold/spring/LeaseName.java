package dev.leasehold.spring;

import dev.leasehold.assertions.LeaseNames;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
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
 * The name of the lease of a method, which may be made of properties and of expressions. The text of the annotation is split into literal
 * parts and expressions first, so that the value of a property is never taken for an expression.
 */
final class LeaseName {

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** Arguments by their number, and what an expression is evaluated on. */
    private static final Pattern ALWAYS_THERE = Pattern.compile("[pa]\\d+|root|this");

    private final String text;
    private final Method method;
    private final List<Expression> parts;
    private final BeanFactory beans;

    private LeaseName(String text, Method method, List<Expression> parts, BeanFactory beans) {
        this.text = text;
        this.method = method;
        this.parts = parts;
        this.beans = beans;
    }

    /**
     * Reads the text of an annotation.
     *
     * @throws IllegalArgumentException if it can never be a name, with the rule
     */
    static LeaseName of(String text, Method method, BeanFactory beans, LeasedCall.PlaceholderResolver resolver) {
        List<Expression> parts = new ArrayList<>();
        for (Expression part : parsed(text)) {
            if (part instanceof LiteralExpression) {
                parts.add(new LiteralExpression(resolved(part.getExpressionString(), resolver)));
            } else {
                checkVariables(text, method, part);
                parts.add(part);
            }
        }
        return new LeaseName(text, method, parts, beans);
    }

    /** A text with its properties. An application may leave a property that is not there as it stands. */
    static String resolved(String text, LeasedCall.PlaceholderResolver resolver) {
        String resolved = resolver.resolve(text);
        if (resolved.contains("${")) {
            throw new IllegalArgumentException(
                    "name " + LeaseNames.quote(text) + " is refused: there is no such property");
        }
        return resolved;
    }

    private static List<Expression> parsed(String text) {
        Expression whole;
        try {
            whole = PARSER.parseExpression(text, new TemplateParserContext());
        } catch (ParseException e) {
            throw new IllegalArgumentException("name " + LeaseNames.quote(text) + " is refused: " + e.getMessage(), e);
        }
        return whole instanceof CompositeStringExpression composite
                ? List.of(composite.getExpressions())
                : List.of(whole);
    }

    private static void checkVariables(String text, Method method, Expression part) {
        if (part.getExpressionString().contains("${")) {
            throw new IllegalArgumentException("name " + LeaseNames.quote(text)
                    + " is refused: a property inside of an expression would be run as a part of it. Write the property outside of #{...}, or"
                    + " #{@environment.getProperty('...')}");
        }
        Set<String> variables = new HashSet<>();
        if (part instanceof SpelExpression expression) {
            collectVariables(expression.getAST(), variables);
        }
        variables.removeIf(variable -> ALWAYS_THERE.matcher(variable).matches());
        String @Nullable [] names = NAMES.getParameterNames(method);
        for (String variable : variables) {
            if (names == null) {
                throw new IllegalArgumentException("name " + LeaseNames.quote(text)
                        + " is refused: the class does not have the names of its" + " parameters, so #" + variable
                        + " would be null. Compile it with -parameters, or write #p0 for the first one");
            } else if (!List.of(names).contains(variable)) {
                throw new IllegalArgumentException(
                        "name " + LeaseNames.quote(text) + " is refused: the method has no parameter " + variable
                                + ", only " + String.join(", ", names));
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

    /** {@return the name if it is the same for all calls; null if it depends on the call} */
    @Nullable String constant() {
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            if (!(part instanceof LiteralExpression)) {
                return null;
            }
            name.append(part.getExpressionString());
        }
        return name.toString();
    }

    /** The name for a call. Refuses a part that comes to null, which would make one lease of many. */
    String of(Object target, Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
        context.setBeanResolver(new BeanFactoryResolver(beans));
        StringBuilder name = new StringBuilder();
        for (Expression part : parts) {
            Object value = part.getValue(context);
            if (value == null) {
                throw new IllegalArgumentException("name " + LeaseNames.quote(text) + " is refused: #{"
                        + part.getExpressionString() + "} comes to null");
            }
            name.append(value);
        }
        return name.toString();
    }
}
