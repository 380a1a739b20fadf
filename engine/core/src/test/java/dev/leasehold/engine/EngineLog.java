package dev.leasehold.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What engines log from warnings on, kept from the console until it is closed. */
final class EngineLog implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.engine");
    private final ListAppender<ILoggingEvent> kept = new ListAppender<>();

    EngineLog() {
        kept.start();
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(kept);
    }

    List<String> warnings() {
        return kept.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(kept);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}
