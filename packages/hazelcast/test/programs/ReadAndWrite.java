import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.SerializerConfig;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.msgpack.value.Value;

/** A Java program with the serializer of docs/hazelcast.md: prints a value and writes it under another key. */
public final class ReadAndWrite {
  public static void main(String[] args) {
    Logger.getLogger("").setLevel(Level.OFF);
    ClientConfig config = new ClientConfig().setClusterName(args[0]);
    config.getNetworkConfig().addAddress(args[1]);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.getSerializationConfig().addSerializerConfig(
        new SerializerConfig().setTypeClass(Value.class).setImplementation(new MessagePackSerializer()));
    var client = HazelcastClient.newHazelcastClient(config);
    var map = client.<String, Value>getMap("java");
    Value value = map.get("ours");
    new PrintStream(System.out, true, StandardCharsets.UTF_8).println(value.toJson());
    map.set("theirs", value);
    client.shutdown();
  }
}
