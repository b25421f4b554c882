/// Asks for one secret at the terminal, without showing it.
public enum SecretPrompt {
    /// - Returns: `nil` without a terminal, and where the question is called off.
    public static func read(_ prompt: String) -> String? { SecretInput()?.read(prompt).line }
}
