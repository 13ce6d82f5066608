package mpi

import "testing"

func TestLaunchersAreKnownByTheirMarks(t *testing.T) {
	for _, x := range []struct {
		about string
		env   map[string]string
		want  Launcher
		ok    bool
	}{
		{"nothing", nil, Launcher{}, false},
		{"OpenMPI", map[string]string{"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "1"}, Launcher{"mpirun of OpenMPI", 1, 4, openMPI}, true},
		{"MPICH", map[string]string{"PMI_RANK": "0", "PMI_SIZE": "1"}, Launcher{"mpiexec of MPICH", 0, 1, mpich}, true},
		{"PMIx", map[string]string{"PMIX_RANK": "3"}, Launcher{"a launcher of PMIx", 3, 0, ""}, true},
		{"srun --mpi=pmi2", map[string]string{"PMI_RANK": "2", "PMI_SIZE": "4", "SLURM_PROCID": "2", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}, Launcher{"srun", 2, 4, ""}, true},
		{"srun --mpi=pmix", map[string]string{"PMIX_RANK": "2", "SLURM_PROCID": "2", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}, Launcher{"srun", 2, 4, ""}, true},
		{"srun --mpi=none", map[string]string{"SLURM_PROCID": "2", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}, Launcher{"srun", 2, 4, ""}, true},
		{"a script of sbatch", map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, Launcher{}, false},
		{"a shell of salloc", map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "1"}, Launcher{}, false},
		{"mpirun in a job of Slurm", map[string]string{"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "8", "PMIX_RANK": "1", "SLURM_PROCID": "0", "SLURM_NTASKS": "8", "SLURM_STEP_NUM_TASKS": "2"}, Launcher{"mpirun of OpenMPI", 1, 8, openMPI}, true},
		{"no numbers", map[string]string{"PMI_RANK": "x", "PMI_SIZE": "2"}, Launcher{}, false},
		{"a rank beyond the size", map[string]string{"PMI_RANK": "2", "PMI_SIZE": "2"}, Launcher{}, false},
	} {
		got, ok := launched(func(v string) (string, bool) { text, ok := x.env[v]; return text, ok })
		if got != x.want || ok != x.ok {
			t.Errorf("%s: %+v, %v, want %+v, %v", x.about, got, ok, x.want, x.ok)
		}
	}
}
