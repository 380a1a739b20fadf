package dev.leasehold.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
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
                // Behind a class that does not have the interface itself, where the search above does not look.
                : implemented(type, method, ClassUtils.getAllInterfacesForClass(type))
                        .flatMap(
                                each -> Stream.ofNullable(AnnotatedElementUtils.findMergedAnnotation(each, annotation)))
                        .findFirst()
                        .orElse(null);
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
