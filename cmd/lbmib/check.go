package main

type checkCommand struct{ caseFlags }

func (checkCommand) examples() []string {
	return []string{"lbmib check cases/cylinder.toml", "lbmib check cases/cylinder.toml --set reference.reynolds=1000 --json"}
}

func (c *checkCommand) Run(s *surroundings) error { _, err := c.load(); return err }

type doctorCommand struct{}

func (doctorCommand) Run(s *surroundings) error { return nil }
