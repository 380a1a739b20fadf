package dev.leasehold.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Finds the annotation of a method as a class has it: the class may have inherited the method, and implement an interface by it. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /**
     * The annotation on the method, on one that it overrides, or on one of an interface that it implements.
     *
     * @param type the class of the bean
     * @param method the one that runs when the bean is called
     * @return null if there is none
     */
    static <A extends Annotation> @Nullable A find(Class<A> annotation, Class<?> type, Method method) {
        A found = AnnotatedElementUtils.findMergedAnnotation(method, annotation);
        return found != null
                ? found
                : ofInterfaces(type, method)
                        .flatMap(
                                each -> Stream.ofNullable(AnnotatedElementUtils.findMergedAnnotation(each, annotation)))
                        .findFirst()
                        .orElse(null);
    }

    /** Of a class that does not have the interface itself, where a search from the method alone does not look. */
    private static Stream<Method> ofInterfaces(Class<?> type, Method method) {
        return implemented(type, method, ClassUtils.getAllInterfacesForClass(type));
    }

    /**
     * An annotation overrides those of the methods that its method overrides or implements. No other may be beside it.
     *
     * @throws IllegalArgumentException if there are several of which only the first would count
     */
    static <A extends Annotation> void checkOne(Class<A> annotation, Class<?> type, Method method) {
        List<MergedAnnotation<A>> all = Stream.concat(Stream.of(method), ofInterfaces(type, method))
                .flatMap(each -> MergedAnnotations.from(each, SearchStrategy.TYPE_HIERARCHY).stream(annotation))
                .toList();
        for (MergedAnnotation<A> other : all) {
            MergedAnnotation<A> first = all.get(0);
            if (!other.synthesize().equals(first.synthesize())
                    && !(declaring(other) != declaring(first)
                            && declaring(other).isAssignableFrom(declaring(first)))) {
                throw new IllegalArgumentException("the method has " + first.synthesize() + " and " + other.synthesize()
                        + ", of which one would do nothing. Leave one of them");
            }
        }
    }

    private static Class<?> declaring(MergedAnnotation<?> annotation) {
        return ((Method) Objects.requireNonNull(annotation.getSource())).getDeclaringClass();
    }

    /** {@return the methods of these interfaces that the class implements by that one, or that are that one} */
    static Stream<Method> implemented(Class<?> type, Method method, Class<?>... interfaces) {
        return Stream.of(interfaces)
                .flatMap(each -> Stream.of(each.getMethods()))
                .filter(each -> each.getName().equals(method.getName())
                        && each.getParameterCount() == method.getParameterCount()
                        && (each.equals(method)
                                || AopUtils.getMostSpecificMethod(each, type).equals(method)));
    }
}
